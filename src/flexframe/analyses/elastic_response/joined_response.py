"""Elastic motion of all bodies of a mechanism, joined by its joints."""

from collections.abc import Mapping

import numpy as np
from scipy.integrate import cumulative_simpson

from flexframe.analyses.body_state import MeshState, marker_rows
from flexframe.analyses.cycle_spectrum.analysis import drive_angles
from flexframe.analyses.elastic_response.link_stress import link_stress
from flexframe.analyses.elastic_response.record import PICTURES, ElasticJointForce, ElasticResponse
from flexframe.analyses.elastic_response.response_damping import ResponseDamping, damped_assembly
from flexframe.analyses.transient.record import SensorHistory
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.parts import STIFFNESS
from flexframe.maths.arrays import Array
from flexframe.model.system import GROUND
from flexframe.multibody.inverse_dynamics import JointForce, MechanismForces
from flexframe.multibody.links.assembly import AssemblyMotion, ElasticAssembly, assembly_motion
from flexframe.multibody.links.link import LinkMotion, link_history
from flexframe.multibody.states import cross
from flexframe.results.record import thin
from flexframe.sensors.contract import Sensor, read_all
from flexframe.sensors.kinds import watched_markers


def joined_response(
    assembly: ElasticAssembly,
    forces: MechanismForces,
    sensors: Mapping[str, Sensor],
    *,
    quasi_static: bool,
    spectral_radius: float,
    damping: ResponseDamping,
) -> ElasticResponse:
    """Integrate (or follow the equilibrium of) the joined bodies, and recover what follows."""
    assembly, damped = damped_assembly(assembly, damping)
    parts = {part.name: part for part in assembly.parts if part.discrete is not None}
    meshed = {name: part.discrete for name, part in parts.items() if part.discrete is not None}
    marker_rows(assembly.motion.mechanism.system, meshed, sensors)  # refuses at once what is not there
    found = assembly_motion(assembly, spectral_radius=spectral_radius, quasi_static=quasi_static)
    motion = assembly.motion
    kinetic, strain, drift = _energies(assembly, found)
    snapshots = thin(len(motion.times), PICTURES)
    stress, shapes, moved = [], {}, {}
    for name, discrete in meshed.items():
        columns = parts[name].columns
        deformed = LinkMotion(
            *(
                np.asarray(discrete.supports.expand(kind[:, columns].T)).T
                for kind in (found.displacements, found.rates, found.accelerations)
            )
        )
        moved[name] = discrete, deformed
        shapes[name] = np.moveaxis(discrete.dofs.nodal(deformed.displacements[snapshots].T), -1, 0)
        history = link_history(forces, name)
        largest = link_stress(discrete, history, assembly.terms, deformed, at_rest=quasi_static)
        stress += [] if largest is None else [largest]
    carried = _joint_forces(assembly, forces, found)
    seen = response_sensors(sensors, forces, moved, carried)
    seen |= {"kinetic_energy": SensorHistory("J", kinetic), "strain_energy": SensorHistory("J", strain)}
    misfit = np.abs(np.einsum("tmq,tq->tm", assembly.constraints, found.displacements)).max()
    notices = list(motion.notices)
    if quasi_static:
        notices.append("quasi-static: inertia and damping of the deformation are left out")
    return ElasticResponse(
        motion=motion,
        forces=forces,
        bodies=tuple(parts),
        sensors=seen,
        watched=watched_markers(motion.mechanism.system, sensors),
        joints=carried,
        stress=tuple(stress),
        snapshots=snapshots,
        displacements=shapes,
        energy_drift=drift,
        constraint_residual=float(misfit / (np.abs(found.displacements).max() or 1.0)),
        steps=len(motion.times) - 1,
        seconds=0.0,
        method="equilibrium in every position"
        if quasi_static
        else f"generalised-α with multipliers, spectral radius {spectral_radius:g}",
        basis=f"all {assembly.size - assembly.rank} unknowns, bodies joined by the joints",
        drive_angles=drive_angles(motion),
        terms=assembly.terms,
        damping=damped,
        notices=tuple(notices),
    )


def response_sensors(
    sensors: Mapping[str, Sensor],
    forces: MechanismForces,
    moved: Mapping[str, tuple[DiscreteBody, LinkMotion]],
    carried: Mapping[str, ElasticJointForce],
) -> dict[str, SensorHistory]:
    """What the sensors see of bodies that deform about the rigid motion; a vector by its components."""
    system = forces.motion.mechanism.system
    meshed = {name: discrete for name, (discrete, _) in moved.items()}
    rows = marker_rows(system, meshed, sensors)

    def at_marker(body: str, marker: str) -> tuple[Array, Array, Array]:
        link, points = moved[body][1], rows[body, marker].rows
        kinds = (link.displacements, link.rates, link.accelerations)
        u, v, a = (np.asarray(points @ kind.T).T for kind in kinds)
        return u, v, a

    joints = {
        name: JointForce(
            name,
            rigid.first,
            rigid.second,
            rigid.places,
            there.force,
            there.moment,
            rigid.drive,
            rigid.values[:, :0],
        )
        for name, there in carried.items()
        if there.on == (rigid := forces.joints[name]).second
    }
    state = MeshState(
        analysis="an elastic response",
        system=system,
        sought="value",
        discrete=meshed,
        rows=rows,
        moved={key: at_marker(*key) for key in rows},
        frames=forces.motion.body,
        joints=joints,
    )
    return {
        column: SensorHistory(found.unit, values)
        for name, found in read_all(sensors, state).items()
        for column, values in found.columns(name).items()
    }


def _energies(assembly: ElasticAssembly, found: AssemblyMotion) -> tuple[Array, Array, float]:
    """Kinetic and strain energy relative to the frames; misfit with the work of loads and turning joints."""
    q, v = found.displacements, found.rates
    kinetic = 0.5 * np.einsum("tq,tq->t", v, np.asarray(assembly.mass @ v.T).T)
    strain, power = np.zeros(len(q)), np.zeros(len(q))
    for part, equations in zip(assembly.parts, assembly.equations, strict=True):
        u, w = q[:, part.columns], v[:, part.columns]
        elastic = np.asarray(equations.stiffness @ u.T).T
        strain += 0.5 * (u * elastic).sum(axis=1)
        force = equations.load_at(slice(None)) - np.asarray(equations.damping @ w.T).T
        force = force - equations.equations.apply(STIFFNESS, equations.points, u)
        power += (w * force).sum(axis=1)
    if assembly.added_damping is not None:
        power -= np.einsum("tq,tq->t", v, v @ assembly.added_damping)
    power += sum((between.forces(q, v) * v).sum(axis=1) for between in assembly.between)
    power += np.einsum("tm,tmq,tq->t", found.multipliers, assembly.constraints, v)
    work = cumulative_simpson(power, x=assembly.motion.times, initial=0.0)
    total = kinetic + strain
    scale = max(float(total.max()), float(np.abs(work).max()), np.finfo(float).tiny)
    return kinetic, strain, float(np.abs(total - total[0] - work).max() / scale)


def _joint_forces(
    assembly: ElasticAssembly, forces: MechanismForces, found: AssemblyMotion
) -> dict[str, ElasticJointForce]:
    """Forces of all joints and drives on their second body (the first where that is the ground)."""
    mechanism, c = assembly.motion.mechanism, assembly.motion.configuration
    table, system = mechanism.constraints, mechanism.system
    _, full = table.values(c, assembly.motion.times)
    out = {}
    for link in (*system.joints, *system.drives):
        place = link.first if link.second.partition(".")[0] == GROUND else link.second
        name, frame = system.frame(place)
        number = mechanism.names.index(name)
        rows = [i for i, owner in enumerate(table.owners) if owner == link.name]
        wrench = np.einsum("tm,tmk->tk", found.multipliers[:, rows], full[:, rows, number])
        arm = c.rotations[:, number] @ frame.point
        rigid = forces.joints[link.name]
        sign = 1.0 if name == rigid.second else -1.0
        rigid_force = sign * rigid.force
        here = assembly.motion.marker(place)[0]
        rigid_moment = sign * rigid.moment + cross(rigid.places - here, rigid_force)
        moment = wrench[:, 3:] - cross(arm, wrench[:, :3])
        out[link.name] = ElasticJointForce(name, rigid_force + wrench[:, :3], rigid_moment + moment, rigid_force)
    return out
