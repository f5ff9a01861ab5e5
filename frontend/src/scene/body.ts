import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedBufferGeometry,
  LineSegments, Mesh, type Object3D,
} from "three";
import type { Part } from "../document/types";
import { vertices } from "./content";
import { buildSurface, capsule, featureEdges, gather } from "./geometry";
import { edgeMaterial, surfaceMaterial, tubeMaterial, type Uniforms } from "./shaders";

/** Displacements and field values of one part at two instants (or real and imaginary part). */
export interface NodalData {
  u0: Float32Array | null; u1: Float32Array | null; f0: Float32Array | null; f1: Float32Array | null;
}

function dynamic(length: number, width: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(length * width), width).setUsage(DynamicDrawUsage);
}

function instanced(length: number, width: number): InstancedBufferAttribute {
  return new InstancedBufferAttribute(new Float32Array(length * width), width).setUsage(DynamicDrawUsage);
}

function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  const both = new Uint32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Tubes along node pairs; `update` moves new nodal data to the card. */
export function buildTubes(nodes: Float32Array, lines: ArrayLike<number>, radius: number, uniforms: Uniforms) {
  const count = lines.length / 2;
  const template = capsule();
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(template.directions, 3));
  geometry.setAttribute("end", new BufferAttribute(template.ends, 1));
  geometry.setIndex(new BufferAttribute(template.index, 1));
  geometry.instanceCount = count;
  const starts = Uint32Array.from({ length: count }, (_, i) => lines[2 * i]);
  const stops = Uint32Array.from({ length: count }, (_, i) => lines[2 * i + 1]);
  const names = ["p0", "p1", "u00", "u01", "u10", "u11"] as const;
  const vectors = Object.fromEntries(names.map((name) => [name, instanced(count, 3)])) as Record<(typeof names)[number], InstancedBufferAttribute>;
  const fields = instanced(count, 4);
  const radii = instanced(count, 1);
  (radii.array as Float32Array).fill(radius);
  for (const name of names) geometry.setAttribute(name, vectors[name]);
  geometry.setAttribute("fields", fields);
  geometry.setAttribute("radius", radii);
  const put = (name: (typeof names)[number], source: Float32Array | null, ends: Uint32Array) => {
    gather(vectors[name].array as Float32Array, source, ends, 3);
    vectors[name].needsUpdate = true;
  };
  put("p0", nodes, starts);
  put("p1", nodes, stops);
  const mesh = new Mesh(geometry, tubeMaterial(uniforms));
  mesh.frustumCulled = false;
  const update = (data: NodalData) => {
    put("u00", data.u0, starts);
    put("u01", data.u1, starts);
    put("u10", data.u0, stops);
    put("u11", data.u1, stops);
    const values = fields.array as Float32Array;
    for (let i = 0; i < count; i++) {
      values[4 * i] = data.f0 ? data.f0[starts[i]] : 0;
      values[4 * i + 1] = data.f0 ? data.f0[stops[i]] : 0;
      values[4 * i + 2] = data.f1 ? data.f1[starts[i]] : 0;
      values[4 * i + 3] = data.f1 ? data.f1[stops[i]] : 0;
    }
    fields.needsUpdate = true;
  };
  return { mesh, update };
}

/** The drawn form of a part: surface, tubes, edges that deform with it, and its outline at rest. */
export class Body {
  readonly group = new Group();
  readonly edges: Object3D;
  readonly outline: Object3D;
  readonly base = { value: new Color() };
  readonly coloured = { value: false };
  private readonly updates: ((data: NodalData) => void)[] = [];

  constructor(part: Part, shared: Uniforms, edgeInk: Uniforms, outlineInk: Uniforms) {
    const nodes = vertices(part);
    const triangles = (part.triangles?.values ?? new Int32Array(0)) as Int32Array;
    const lines = (part.lines?.values ?? new Int32Array(0)) as Int32Array;
    const own = { ...shared, base: this.base, coloured: this.coloured };
    if (triangles.length) this.group.add(this.surface(nodes, triangles, own));
    if (lines.length) {
      const tubes = buildTubes(nodes, lines, part.radius, { ...own, leastPixels: { value: part.symbol ? 0.9 : part.skin ? 1.1 : part.radius > 0 ? 1.5 : 2.2 } });
      this.group.add(tubes.mesh);
      this.updates.push(tubes.update);
    }
    const features = triangles.length ? featureEdges(nodes, triangles) : new Uint32Array(0);
    const nodal = this.nodalGeometry(nodes);
    const given = part.edges ? Uint32Array.from(part.edges.values) : null;
    const drawn = given ? (part.skin ? joined(given, features) : given) : features;
    const rest = part.skin ? features : joined(features, Uint32Array.from(lines));
    this.edges = this.segments(nodal, drawn, { ...shared, ...edgeInk });
    this.outline = this.segments(nodal, rest, { ...shared, ...outlineInk, scale: { value: 0 } });
    this.group.add(this.edges, this.outline);
  }

  update(data: NodalData): void {
    for (const update of this.updates) update(data);
  }

  private surface(nodes: Float32Array, triangles: Int32Array, uniforms: Uniforms): Mesh {
    const { index, vertexNode, normals } = buildSurface(nodes, triangles);
    const count = vertexNode.length;
    const position = new Float32Array(3 * count);
    gather(position, nodes, vertexNode, 3);
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(index, 1));
    geometry.setAttribute("position", new BufferAttribute(position, 3));
    geometry.setAttribute("normal", new BufferAttribute(normals, 3));
    const attributes = { u0: dynamic(count, 3), u1: dynamic(count, 3), f0: dynamic(count, 1), f1: dynamic(count, 1) };
    for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
    this.updates.push((data) => {
      for (const name of ["u0", "u1", "f0", "f1"] as const) {
        const attribute = attributes[name];
        gather(attribute.array as Float32Array, data[name], vertexNode, attribute.itemSize as 1 | 3);
        attribute.needsUpdate = true;
      }
    });
    const mesh = new Mesh(geometry, surfaceMaterial(uniforms));
    mesh.frustumCulled = false;
    return mesh;
  }

  private nodalGeometry(nodes: Float32Array): Record<string, BufferAttribute> {
    const u0 = dynamic(nodes.length / 3, 3);
    const u1 = dynamic(nodes.length / 3, 3);
    this.updates.push((data) => {
      for (const [attribute, source] of [[u0, data.u0], [u1, data.u1]] as const) {
        if (source) (attribute.array as Float32Array).set(source);
        else (attribute.array as Float32Array).fill(0);
        attribute.needsUpdate = true;
      }
    });
    return { position: new BufferAttribute(nodes, 3), u0, u1 };
  }

  private segments(attributes: Record<string, BufferAttribute>, pairs: Uint32Array, uniforms: Uniforms): LineSegments {
    const geometry = new BufferGeometry();
    for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(new BufferAttribute(pairs, 1));
    const lines = new LineSegments(geometry, edgeMaterial(uniforms));
    lines.frustumCulled = false;
    lines.renderOrder = 1;
    return lines;
  }
}
