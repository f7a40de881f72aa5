import { pathToFileURL } from 'node:url'
import { createContext } from './context.ts'
import { formatFailure } from './failure-text.ts'
import { describePlugin, type Hook } from './hooks.ts'
import { readManifest } from './manifest.ts'
import { PluginFailure, type Runner } from './running.ts'

/** Runs a built-in plugin in the service itself. It is trusted: it is not monitored, and it can block the service. */
export const runInProcess: Runner = async ({ entry, folder }) => {
  const { manifestData, hooks } = await load(entry, folder)
  const manifest = readManifest(manifestData)
  const ended = Promise.withResolvers<never>()
  // its stop concerns only the calls in progress
  ended.promise.catch(() => {})
  let isStopped = false
  const createStopFailure = () => new PluginFailure('call', 'it was stopped', 'ended')

  return {
    manifest,
    async call(hook, args, calls, milliseconds) {
      if (isStopped) throw createStopFailure()
      const stage = hook === 'start' ? 'init' : 'call'
      const run = hooks.get(hook)
      if (!run) throw new PluginFailure(stage, `it has no ${hook}`)
      let hasEnded = false
      const context = createContext(calls, () => hasEnded)
      const timeout = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => timeout.reject(new PluginFailure(stage, `${hook} did not respond within ${milliseconds} milliseconds`, 'late')),
        milliseconds,
      )
      try {
        return await Promise.race([runHook(run, [...args, context]), timeout.promise, ended.promise])
      } catch (error) {
        if (error instanceof PluginFailure) throw error
        throw new PluginFailure(stage, `${hook} failed: ${formatFailure(error, folder)}`)
      } finally {
        hasEnded = true
        clearTimeout(timer)
      }
    },
    async stop() {
      isStopped = true
      ended.reject(createStopFailure())
    },
  }
}

async function load(entry: string, folder: string): Promise<ReturnType<typeof describePlugin>> {
  try {
    const module = await import(pathToFileURL(entry).href)
    return describePlugin(module.default)
  } catch (error) {
    throw new PluginFailure('load', formatFailure(error, folder))
  }
}

const runHook = async (run: Hook, args: unknown[]): Promise<unknown> => run(...args)
