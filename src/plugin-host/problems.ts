import type { Logger } from 'pino'
import { PluginFailure } from './running.ts'

/** A failure of a plugin, as shown at `/api/plugins/status/`. */
export type PluginProblem = { stage: PluginFailure['stage']; name: string; message: string }

/** Maximum number of stored problems; the oldest are dropped. */
const MAX_PROBLEMS = 200

/** The problems of plugins on this node since they were last loaded: the last one for each stage of each plugin. */
export class PluginProblems {
  readonly #problems = new Map<string, PluginProblem>()
  readonly #log: Logger

  constructor(log: Logger) {
    this.#log = log
  }

  /** Stores and logs the failure of a plugin. Any other error is one of the service, of which clients get no details. */
  report(error: unknown, plugin: string): PluginFailure {
    const failure = error instanceof PluginFailure ? error : new PluginFailure('load', 'the service failed')
    if (error !== failure) this.#log.error({ err: error, plugin }, 'a plugin failed to run')
    else this.#log.warn({ plugin, stage: failure.stage }, `plugin: ${failure.message}`)
    this.#add({ stage: failure.stage, name: plugin, message: failure.message })
    return failure
  }

  #add(problem: PluginProblem): void {
    const key = `${problem.stage} ${problem.name}`
    this.#problems.delete(key)
    this.#problems.set(key, problem)
    const [oldest] = this.#problems.keys()
    if (this.#problems.size > MAX_PROBLEMS && oldest !== undefined) this.#problems.delete(oldest)
  }

  /** Removes the problems of a plugin, or all without a name. */
  clear(name?: string): void {
    for (const [key, problem] of this.#problems) if (name === undefined || problem.name === name) this.#problems.delete(key)
  }

  all(): PluginProblem[] {
    return [...this.#problems.values()]
  }
}
