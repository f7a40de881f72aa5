/**
 * `error`: the service could not run, or a part of it does not work. `warning`: it works, with a disadvantage. `skipped`: not known, because
 * something else is missing.
 */
export type InspectionStatus = 'ok' | 'warning' | 'error' | 'skipped'

/** A result of a check: a sentence about what is right or wrong, and for a warning or an error what to do. */
export type Finding = { status: InspectionStatus; message: string; advice?: string }

/** The results of a check: its name for programs, its title for people, and the worst status of its findings. */
export type CheckResult = { name: string; title: string; status: InspectionStatus; findings: Finding[] }
