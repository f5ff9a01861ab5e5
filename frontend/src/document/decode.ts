import type { Document, NumericArray } from "./types";

interface EncodedArray { kind: "array"; type: "float32" | "int32"; shape: number[]; data: string; imaginary?: string }

/** Turn the JSON text of a document into a document whose arrays are typed arrays. */
export function decodeDocument(json: string): Document {
  return decodeArrays<Document>(json);
}

/** The same for any JSON text with encoded arrays in it. */
export function decodeArrays<T>(json: string): T {
  return JSON.parse(json, (_key, value) => (isEncodedArray(value) ? decodeArray(value) : value)) as T;
}

function isEncodedArray(value: unknown): value is EncodedArray {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "array";
}

function decodeArray(encoded: EncodedArray): NumericArray {
  const buffer = bytes(encoded.data);
  const values = encoded.type === "int32" ? new Int32Array(buffer) : new Float32Array(buffer);
  const decoded: NumericArray = { shape: encoded.shape, values };
  if (encoded.imaginary !== undefined) decoded.imaginary = new Float32Array(bytes(encoded.imaginary));
  return decoded;
}

/** Base64 to bytes; the data are little-endian, as is every machine that runs a browser today. */
function bytes(base64: string): ArrayBuffer {
  const binary = atob(base64);
  const result = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) result[i] = binary.charCodeAt(i);
  return result.buffer;
}
