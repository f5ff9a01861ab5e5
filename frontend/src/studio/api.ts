// The web service of flexframe.studio.app, call by call. Addresses are relative: the page lies under a path of its own, and the
// browser has the cookie that belongs to it.
import { decodeArrays, decodeDocument } from "../document/decode";
import type { Document, NumericArray, Scene } from "../document/types";

export interface About { version: string; workspace: string; opened: string | null; at_once: number }
export interface Example { name: string; title: string; description: string; analyses: string[] }
export interface SavedCase { name: string; text: string; sha256: string }
export interface Problem { file: string; line: number | null; field: string; message: string }
export interface Checked {
  valid: boolean; problems: Problem[]; title: string; bodies: Record<string, { cells: number; nodes: number; dofs: number | null }>;
  analyses: Record<string, string>; picture: string | null; scene: Scene | null; notices: string[];
}
export interface PartSet { name: string; words: string; triangles: NumericArray; points: NumericArray }
export interface PartFace { words: string; can_be_named: boolean; triangles: NumericArray }
export interface PartSeen {
  valid: boolean; problems: Problem[]; lines: string[]; seems: string | null; makes_case: boolean; scene: Scene | null;
  sets: PartSet[]; faces: PartFace[];
}
export interface SetName { name: string; set: string | null; face: number | null }
export type Status = "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";
export interface Run {
  id: string; case: string; title: string; status: Status; created: number; started: number | null; ended: number | null;
  done: number; total: number; current: string; fraction: number; seconds_left: number | null; message: string; problems: Problem[];
}
export type Offer = "report" | "summary" | "netcdf" | "csv" | "vtk";

/** A refusal of the service, in its own words. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string, readonly problems: Problem[] = []) {
    super(message);
  }
}

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  let response: Response;
  const headers: Record<string, string> = {};
  if (body !== undefined && !(body instanceof Blob)) headers["Content-Type"] = "application/json";
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body) });
  } catch {
    throw new Refusal(0, "The studio does not answer. Start it again with flexframe studio.");
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw new Refusal(response.status, String(told.detail ?? response.statusText), told.problems ?? []);
}

async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await call(method, path, body)).json() as Promise<T>;
}

const part = encodeURIComponent;

async function checked(response: Promise<Response>): Promise<Checked> {
  return decodeArrays<Checked>(await (await response).text());
}

export const api = {
  about: () => json<About>("GET", "api/about"),
  schema: () => json<Record<string, unknown>>("GET", "api/schema"),
  examples: () => json<Example[]>("GET", "api/examples"),
  exampleModel: (name: string) => checked(call("GET", `api/examples/${part(name)}/model`)),
  copyExample: (name: string) => json<SavedCase>("POST", `api/examples/${part(name)}/copy`),
  cases: () => json<string[]>("GET", "api/cases"),
  case: (name: string) => json<SavedCase>("GET", `api/cases/${part(name)}`),
  save: (name: string, text: string, replaces: string | null) => json<SavedCase>("PUT", `api/cases/${part(name)}`, { text, replaces }),
  check: (name: string, text: string, known: string | null) => checked(call("POST", "api/check", { name, text, known })),
  trial: (name: string, text: string) => json<Checked>("POST", "api/trial", { name, text }),
  files: () => json<string[]>("GET", "api/files"),
  upload: (file: File, replace: boolean) => call("PUT", `api/files/${part(file.name)}?replace=${replace}`, new Blob([file])),
  part: async (files: string[], units: string): Promise<PartSeen> => decodeArrays<PartSeen>(await (await call("POST", "api/part", { files, units })).text()),
  partCase: (files: string[], units: string, names: SetName[]) => json<SavedCase>("POST", "api/part/case", { files, units, names }),
  runs: () => json<Run[]>("GET", "api/runs"),
  run: (name: string, text: string) => json<Run>("POST", "api/runs", { name, text }),
  cancel: (id: string) => json<Run>("POST", `api/runs/${part(id)}/cancel`),
  resume: (id: string) => json<Run>("POST", `api/runs/${part(id)}/resume`),
  remove: (id: string) => call("DELETE", `api/runs/${part(id)}`),
  runCase: (id: string) => json<SavedCase>("GET", `api/runs/${part(id)}/case`),
  document: async (id: string): Promise<Document> => decodeDocument(await (await call("GET", `api/runs/${part(id)}/document`)).text()),
  download: (id: string, what: Offer) => json<{ address: string }>("POST", `api/runs/${part(id)}/downloads`, { what }),
};
