// Bodies are deformed on the graphics card: x + scale (w₀ u₀ + w₁ u₁). For a mode u₀, u₁ are the real and
// imaginary part and w = (cos φ, −sin φ); for a history they are two instants and w interpolates between them.
import { DoubleSide, GLSL3, ShaderMaterial, type IUniform } from "three";

const deformation = /* glsl */ `
uniform vec2 weights;
uniform vec2 fieldWeights;
uniform float scale;
uniform int colouring; // 0 plain, 1 size of the displacement, 2 nodal field
vec3 displacement(vec3 u0, vec3 u1) { return weights.x * u0 + weights.y * u1; }
float colourValue(vec3 u, float f0, float f1) {
  return colouring == 1 ? length(u) : fieldWeights.x * f0 + fieldWeights.y * f1;
}
`;

const shading = /* glsl */ `
uniform int colouring;
uniform sampler2D palette;
uniform vec2 range;
uniform vec3 base;
uniform bool coloured;
uniform bool orthographic;
layout(location = 0) out vec4 pixel;
vec3 bodyColour(float value) {
  if (colouring == 0 || !coloured) return base;
  if (isnan(value)) return vec3(0.6);
  float t = clamp((value - range.x) / (range.y - range.x), 0.0, 1.0);
  return texture(palette, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}
vec3 lit(vec3 colour, vec3 normal, vec3 place) {
  vec3 eye = orthographic ? vec3(0.0, 0.0, 1.0) : -normalize(place);
  vec3 n = dot(normal, eye) < 0.0 ? -normal : normal;
  float key = max(dot(n, normalize(vec3(-0.35, 0.6, 0.75))), 0.0);
  float fill = 0.5 + 0.5 * n.y;
  float gloss = pow(max(dot(reflect(-eye, n), normalize(vec3(-0.35, 0.6, 0.75))), 0.0), 24.0);
  return colour * (0.5 + 0.44 * key + 0.1 * fill) + 0.07 * gloss;
}
`;

const surfaceVertex = /* glsl */ `
${deformation}
in vec3 u0;
in vec3 u1;
in float f0;
in float f1;
out vec3 restPlace;
out vec3 place;
out vec3 restNormal;
out float value;
void main() {
  vec3 u = displacement(u0, u1);
  vec4 moved = modelViewMatrix * vec4(position + scale * u, 1.0);
  restPlace = (modelViewMatrix * vec4(position, 1.0)).xyz;
  place = moved.xyz;
  restNormal = normalMatrix * normal;
  value = colourValue(u, f0, f1);
  gl_Position = projectionMatrix * moved;
}
`;

// The smooth normal at rest, turned by what the deformation does to the face it belongs to.
const surfaceFragment = /* glsl */ `
${shading}
in vec3 restPlace;
in vec3 place;
in vec3 restNormal;
in float value;
void main() {
  vec3 faceRest = cross(dFdx(restPlace), dFdy(restPlace));
  vec3 faceMoved = cross(dFdx(place), dFdy(place));
  vec3 n = normalize(restNormal);
  float side = dot(faceRest, n) < 0.0 ? -1.0 : 1.0;
  float restArea = length(faceRest);
  float movedArea = length(faceMoved);
  if (restArea > 0.0 && movedArea > 0.0) n = normalize(n + side * (faceMoved / movedArea - faceRest / restArea));
  pixel = vec4(lit(bodyColour(value), n, place), 1.0);
}
`;

const tubeVertex = /* glsl */ `
${deformation}
uniform float pixelSize;
in float end;
in vec3 p0;
in vec3 p1;
in vec3 u00;
in vec3 u01;
in vec3 u10;
in vec3 u11;
in vec4 fields; // at end 0 and end 1, first and second instant
in float radius;
uniform float leastPixels;
out vec3 place;
out vec3 tubeNormal;
out float value;
void main() {
  vec3 d0 = displacement(u00, u01);
  vec3 d1 = displacement(u10, u11);
  vec3 q0 = p0 + scale * d0;
  vec3 q1 = p1 + scale * d1;
  vec3 along = q1 - q0;
  float span = length(along);
  vec3 axis = span > 0.0 ? along / span : vec3(1.0, 0.0, 0.0);
  vec3 e1 = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 e2 = cross(axis, e1);
  vec3 direction = position.x * e1 + position.y * e2 + position.z * axis;
  vec3 centre = mix(q0, q1, end);
  float w = (projectionMatrix * modelViewMatrix * vec4(centre, 1.0)).w;
  vec4 moved = modelViewMatrix * vec4(centre + max(radius, leastPixels * pixelSize * w) * direction, 1.0);
  place = moved.xyz;
  tubeNormal = mat3(modelViewMatrix) * direction;
  value = end < 0.5 ? colourValue(d0, fields.x, fields.z) : colourValue(d1, fields.y, fields.w);
  gl_Position = projectionMatrix * moved;
}
`;

const tubeFragment = /* glsl */ `
${shading}
in vec3 place;
in vec3 tubeNormal;
in float value;
void main() { pixel = vec4(lit(bodyColour(value), normalize(tubeNormal), place), 1.0); }
`;

const edgeVertex = /* glsl */ `
${deformation}
in vec3 u0;
in vec3 u1;
void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position + scale * displacement(u0, u1), 1.0); }
`;

const edgeFragment = /* glsl */ `
uniform vec4 ink;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(ink.rgb * ink.a, ink.a); }
`;

export type Uniforms = Record<string, IUniform>;

export function surfaceMaterial(uniforms: Uniforms): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3, uniforms, vertexShader: surfaceVertex, fragmentShader: surfaceFragment,
    side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
}

export function tubeMaterial(uniforms: Uniforms): ShaderMaterial {
  return new ShaderMaterial({ glslVersion: GLSL3, uniforms, vertexShader: tubeVertex, fragmentShader: tubeFragment });
}

export function edgeMaterial(uniforms: Uniforms): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3, uniforms, vertexShader: edgeVertex, fragmentShader: edgeFragment,
    transparent: true, premultipliedAlpha: true, depthWrite: false,
  });
}
