import type { Logger } from 'pino'
import { PluginFailure } from './running.ts'

/** What went wrong with a plugin, as clients are told at `/api/plugins/status/`. */
export type PluginProblem = { stage: PluginFailure['stage']; name: string; message: string }

/** How many are kept; the oldest make room. */
const MAX_PROBLEMS = 200

/** What went wrong with plugins on this node since they were last loaded: the last of each stage of each. */
export class PluginProblems {
  readonly #problems = new Map<string, PluginProblem>()
  readonly #log: Logger

  constructor(log: Logger) {
    this.#log = log
  }

  /** Keeps and logs why a plugin failed. What is no failure of a plugin is our own, of which clients are told no more than that. */
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

  /** Forgets those of a plugin; without one, all. */
  forget(name?: string): void {
    for (const [key, problem] of this.#problems) if (name === undefined || problem.name === name) this.#problems.delete(key)
  }

  all(): PluginProblem[] {
    return [...this.#problems.values()]
  }
}
