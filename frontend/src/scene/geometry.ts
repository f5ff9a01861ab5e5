/** A surface whose vertices are split along sharp edges; `vertexNode` names the node of each vertex. */
export interface Surface { index: Uint32Array; vertexNode: Uint32Array; normals: Float32Array }

const CREASE_COSINE = Math.cos((35 * Math.PI) / 180);

/** Unit normals of triangles, three numbers each; zero for a triangle without area. */
function triangleNormals(nodes: Float32Array, triangles: Int32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const ux = nodes[b] - nodes[a], uy = nodes[b + 1] - nodes[a + 1], uz = nodes[b + 2] - nodes[a + 2];
    const vx = nodes[c] - nodes[a], vy = nodes[c + 1] - nodes[a + 1], vz = nodes[c + 2] - nodes[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const length = Math.hypot(x, y, z) || 1;
    normals[t] = x / length;
    normals[t + 1] = y / length;
    normals[t + 2] = z / length;
  }
  return normals;
}

/** Vertices with smooth normals, several at a node where faces meet at more than 35 degrees. */
export function buildSurface(nodes: Float32Array, triangles: Int32Array): Surface {
  const faces = triangleNormals(nodes, triangles);
  const nodeCount = nodes.length / 3;
  const first = new Int32Array(nodeCount).fill(-1);
  const next: number[] = [];
  const vertexNode: number[] = [];
  const normals: number[] = [];
  const index = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) {
    const node = triangles[corner];
    const f = corner - (corner % 3);
    const [x, y, z] = [faces[f], faces[f + 1], faces[f + 2]];
    let vertex = first[node];
    while (vertex >= 0) {
      const v = 3 * vertex;
      const length = Math.hypot(normals[v], normals[v + 1], normals[v + 2]);
      if (normals[v] * x + normals[v + 1] * y + normals[v + 2] * z >= CREASE_COSINE * length) break;
      vertex = next[vertex];
    }
    if (vertex < 0) {
      vertex = vertexNode.length;
      vertexNode.push(node);
      normals.push(0, 0, 0);
      next.push(first[node]);
      first[node] = vertex;
    }
    normals[3 * vertex] += x;
    normals[3 * vertex + 1] += y;
    normals[3 * vertex + 2] += z;
    index[corner] = vertex;
  }
  for (let v = 0; v < normals.length; v += 3) {
    const length = Math.hypot(normals[v], normals[v + 1], normals[v + 2]) || 1;
    normals[v] /= length;
    normals[v + 1] /= length;
    normals[v + 2] /= length;
  }
  return { index, vertexNode: Uint32Array.from(vertexNode), normals: Float32Array.from(normals) };
}

/** Node pairs of free edges and of edges where faces meet at more than 35 degrees. */
export function featureEdges(nodes: Float32Array, triangles: Int32Array): Uint32Array {
  const faces = triangleNormals(nodes, triangles);
  const nodeCount = nodes.length / 3;
  const open = new Map<number, number>(); // edge key to its only face so far
  const edges: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k];
      const b = triangles[t + ((k + 1) % 3)];
      const key = Math.min(a, b) * nodeCount + Math.max(a, b);
      const other = open.get(key);
      if (other === undefined) {
        open.set(key, t);
        continue;
      }
      open.delete(key);
      const cosine = faces[t] * faces[other] + faces[t + 1] * faces[other + 1] + faces[t + 2] * faces[other + 2];
      if (cosine < CREASE_COSINE) edges.push(a, b);
    }
  }
  for (const key of open.keys()) edges.push(Math.floor(key / nodeCount), key % nodeCount);
  return Uint32Array.from(edges);
}

/** Copy three numbers (or one) per node to the vertices made from it. */
export function gather(target: Float32Array, source: Float32Array | null, vertexNode: Uint32Array, width: 1 | 3): void {
  if (!source) {
    target.fill(0);
  } else if (width === 1) {
    for (let v = 0; v < vertexNode.length; v++) target[v] = source[vertexNode[v]];
  } else {
    for (let v = 0; v < vertexNode.length; v++) {
      const n = 3 * vertexNode[v];
      target[3 * v] = source[n];
      target[3 * v + 1] = source[n + 1];
      target[3 * v + 2] = source[n + 2];
    }
  }
}

/** A capsule template for tubes: unit-sphere coordinates of each vertex, and the end it belongs to. */
export function capsule(sides = 14): { directions: Float32Array; ends: Float32Array; index: Uint16Array } {
  const directions: number[] = [];
  const ends: number[] = [];
  const index: number[] = [];
  const rings: [number, number][] = [[0, -90], [0, -60], [0, -30], [0, 0], [1, 0], [1, 30], [1, 60], [1, 90]]; // end, latitude
  for (const [end, latitude] of rings) {
    const polar = (latitude * Math.PI) / 180;
    for (let i = 0; i < sides; i++) {
      const around = (2 * Math.PI * i) / sides;
      directions.push(Math.cos(polar) * Math.cos(around), Math.cos(polar) * Math.sin(around), Math.sin(polar));
      ends.push(end);
    }
  }
  for (let ring = 0; ring + 1 < rings.length; ring++) {
    for (let i = 0; i < sides; i++) {
      const [a, b] = [ring * sides + i, ring * sides + ((i + 1) % sides)];
      index.push(a, b, a + sides, b, b + sides, a + sides);
    }
  }
  return { directions: Float32Array.from(directions), ends: Float32Array.from(ends), index: Uint16Array.from(index) };
}
