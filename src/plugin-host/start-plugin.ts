import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from '../kit/request/caller.ts'
import type { Database } from '../kit/sql/tx.ts'
import type { DiscoveredPlugin } from './discover.ts'
import { type ContextCalls, type Manifest, PluginFailure, type PluginPaths, type Runner, type RunningPlugin } from './running.ts'

/** Time limit in milliseconds for `start` of a plugin, and for any other of its functions by default. */
export const CALL_TIMEOUT_MS = 10_000

/** A plugin that runs here. */
export type PluginOnNode = {
  key: string
  discovered: DiscoveredPlugin
  manifest: Manifest
  /** The account that enabled it, with whose permissions it acts on its own. */
  account: number | null
}

/** The same, with its running instance and its calls in progress. */
export type Active = PluginOnNode & { running: RunningPlugin; calls: Set<Promise<unknown>> }

/** Milliseconds that calls in progress get to finish when a plugin stops. */
const END_TIMEOUT_MS = 1_000

/** Stops a plugin that gets no further calls. Calls in progress have END_TIMEOUT_MS to finish, and fail then. */
export async function endPlugin({ running, calls }: Active): Promise<void> {
  const abortController = new AbortController()
  await Promise.race([
    Promise.allSettled(calls),
    pause(END_TIMEOUT_MS, undefined, { signal: abortController.signal }).catch(() => {}),
  ])
  abortController.abort()
  await running.stop()
}

/** A call of a function of a plugin. */
export type CallContext = {
  /** The account that caused it; undefined if no request did. */
  caller?: Caller
  /** The transaction of the write in which the call runs, for reads only. */
  reader?: Database
}

/** The dependencies for starting plugins. */
export type StartOptions = {
  /** The runner of built-in plugins, and that of all others. */
  runners: { builtIn: Runner; other: Runner }
  /** Returns the context of a plugin for a call; without a call, for its start. */
  contexts: (plugin: PluginOnNode, callContext?: CallContext) => ContextCalls
  /** The version of the service. */
  version: string
}

/** The runner of a plugin. */
export const getRunner = ({ origin }: DiscoveredPlugin, { builtIn, other }: StartOptions['runners']): Runner =>
  origin === 'builtin' ? builtIn : other

/** @throws PluginFailure if a plugin's slug differs from the name of its folder */
export function requireSlug({ slug }: Manifest, { key }: DiscoveredPlugin): void {
  if (slug !== key) throw new PluginFailure('load', `its slug is ${slug}, but it was found as ${key}`)
}

/**
 * Loads a plugin and starts it.
 * @param onEnd called if it ends by itself after its start
 * @throws PluginFailure if it cannot be started; it does not run then
 */
export async function startPlugin(
  discovered: DiscoveredPlugin,
  account: number | null,
  { runners, contexts, version }: StartOptions,
  onEnd: (plugin: Active, failure: PluginFailure) => void,
): Promise<Active> {
  let started: Active | undefined
  let ended: PluginFailure | undefined
  const running = await getRunner(discovered, runners)(discovered.paths, (failure) => {
    ended = failure
    if (started) onEnd(started, failure)
  })
  try {
    const { manifest } = running
    requireSlug(manifest, discovered)
    checkVersion(manifest, version)
    const plugin = { key: discovered.key, discovered, manifest, account, running, calls: new Set<Promise<unknown>>() }
    if (manifest.hooks.includes('start')) await running.call('start', [], contexts(plugin), CALL_TIMEOUT_MS)
    if (ended) throw ended
    started = plugin
    return plugin
  } catch (error) {
    await running.stop()
    throw error
  }
}

/**
 * Tries whether a plugin that is not built in loads, and whether it starts if it would replace a running one. It does not run afterwards.
 * @param findRunning returns the running plugin of a key, and throws if the key is taken
 * @returns its key
 * @throws PluginFailure
 */
export async function tryPlugin(
  paths: PluginPaths,
  { runners, contexts, version }: StartOptions,
  findRunning: (key: string) => PluginOnNode | undefined,
): Promise<string> {
  const running = await runners.other(paths, () => {})
  try {
    const { manifest } = running
    checkVersion(manifest, version)
    const before = findRunning(manifest.slug)
    if (before && manifest.hooks.includes('start'))
      await running.call('start', [], contexts({ ...before, manifest }), CALL_TIMEOUT_MS)
    return manifest.slug
  } finally {
    await running.stop()
  }
}

function checkVersion({ minVersion, maxVersion }: Manifest, version: string): void {
  if (minVersion !== undefined && compareVersions(version, minVersion) < 0)
    throw new PluginFailure('load', `it requires version ${minVersion} of the service or later; this is ${version}`)
  if (maxVersion !== undefined && compareVersions(version, maxVersion) > 0)
    throw new PluginFailure('load', `it supports versions of the service up to ${maxVersion}; this is ${version}`)
}

/** Compares versions: negative if the first one is lower. The part after a dash or plus is ignored. */
function compareVersions(first: string, second: string): number {
  const numbers = (version: string) => version.split(/[-+]/, 1)[0]?.split('.').map(Number) ?? []
  const [left, right] = [numbers(first), numbers(second)]
  for (const index of [0, 1, 2]) if (left[index] !== right[index]) return (left[index] ?? 0) - (right[index] ?? 0)
  return 0
}
