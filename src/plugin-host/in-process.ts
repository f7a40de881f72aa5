import { pathToFileURL } from 'node:url'
import { contextOf } from './context.ts'
import { failureText } from './failure-text.ts'
import { describePlugin, type Hook } from './hooks.ts'
import { readManifest } from './manifest.ts'
import { PluginFailure, type Runner } from './running.ts'

/** Runs a built-in plugin in the service itself. It is trusted: it is not monitored, and it can block the service. */
export const inProcess: Runner = async ({ entry, folder }) => {
  const { manifestData, hooks } = await load(entry, folder)
  const manifest = readManifest(manifestData)
  const ended = Promise.withResolvers<never>()
  // its stop concerns only the calls in progress
  ended.promise.catch(() => {})
  let isStopped = false
  const stopped = () => new PluginFailure('call', 'it was stopped', 'ended')

  return {
    manifest,
    async call(hook, args, calls, milliseconds) {
      if (isStopped) throw stopped()
      const stage = hook === 'start' ? 'init' : 'call'
      const run = hooks.get(hook)
      if (!run) throw new PluginFailure(stage, `it has no ${hook}`)
      let isOver = false
      const context = contextOf(calls, () => isOver)
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => late.reject(new PluginFailure(stage, `${hook} did not respond within ${milliseconds} milliseconds`, 'late')),
        milliseconds,
      )
      try {
        return await Promise.race([runHook(run, [...args, context]), late.promise, ended.promise])
      } catch (error) {
        if (error instanceof PluginFailure) throw error
        throw new PluginFailure(stage, `${hook} failed: ${failureText(error, folder)}`)
      } finally {
        isOver = true
        clearTimeout(timer)
      }
    },
    async stop() {
      isStopped = true
      ended.reject(stopped())
    },
  }
}

async function load(entry: string, folder: string): Promise<ReturnType<typeof describePlugin>> {
  try {
    const module = await import(pathToFileURL(entry).href)
    return describePlugin(module.default)
  } catch (error) {
    throw new PluginFailure('load', failureText(error, folder))
  }
}

const runHook = async (run: Hook, args: unknown[]): Promise<unknown> => run(...args)
