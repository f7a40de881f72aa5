import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from '../kit/request/caller.ts'
import type { Database } from '../kit/sql/tx.ts'
import type { Found } from './discover.ts'
import { type ContextCalls, type Manifest, type Place, PluginFailure, type Runner, type Running } from './running.ts'

/** Milliseconds that `start` of a plugin may take, and any other of its functions unless its caller says otherwise. */
export const CALL_TIMEOUT_MS = 10_000

/** A plugin that runs here. */
export type PluginOnNode = {
  key: string
  found: Found
  manifest: Manifest
  /** The account that switched it on, with whose rights it acts on its own. */
  account: number | null
}

/** The same, with what it is called by, and its calls in progress. */
export type Active = PluginOnNode & { running: Running; calls: Set<Promise<unknown>> }

/** Milliseconds that calls in progress are given when a plugin ends. */
const PATIENCE_AT_END = 1_000

/** Ends a plugin that is called by nobody any more. What is in progress may end in a moment, and fails then. */
export async function endPlugin({ running, calls }: Active): Promise<void> {
  const patience = new AbortController()
  await Promise.race([Promise.allSettled(calls), pause(PATIENCE_AT_END, undefined, { signal: patience.signal }).catch(() => {})])
  patience.abort()
  await running.stop()
}

/** A call of a function of a plugin. */
export type Calling = {
  /** Who caused it. Without one, nobody's request did. */
  caller?: Caller
  /** Inside a write: its transaction, of which it only reads. */
  reader?: Database
}

/** What plugins are started with. */
export type Starting = {
  /** Run what comes with the service, and everything else. */
  runners: { builtIn: Runner; other: Runner }
  /** What a plugin may use in a call; without one, while it starts. */
  contexts: (plugin: PluginOnNode, calling?: Calling) => ContextCalls
  /** The version of the service. */
  version: string
}

/** What runs a plugin. */
export const runnerOf = ({ origin }: Found, { builtIn, other }: Starting['runners']): Runner =>
  origin === 'builtin' ? builtIn : other

/** @throws PluginFailure when a plugin calls itself otherwise than its place says */
export function requireSlug({ slug }: Manifest, { key }: Found): void {
  if (slug !== key) throw new PluginFailure('load', `its slug is ${slug}, but it was found as ${key}`)
}

/**
 * Loads a plugin and has it start.
 * @param onEnd told when it ends by itself once it has started
 * @throws PluginFailure when it cannot be started; it does not run then
 */
export async function startPlugin(
  found: Found,
  account: number | null,
  { runners, contexts, version }: Starting,
  onEnd: (plugin: Active, failure: PluginFailure) => void,
): Promise<Active> {
  let started: Active | undefined
  let ended: PluginFailure | undefined
  const running = await runnerOf(found, runners)(found.place, (failure) => {
    ended = failure
    if (started) onEnd(started, failure)
  })
  try {
    const { manifest } = running
    requireSlug(manifest, found)
    checkVersion(manifest, version)
    const plugin = { key: found.key, found, manifest, account, running, calls: new Set<Promise<unknown>>() }
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
 * Tries whether a plugin that is not built in loads, and whether it starts where it is to take the place of one that runs. It does
 * not run afterwards.
 * @param runningBefore gives the plugin that runs under a key, and throws where the key is taken
 * @returns its key
 * @throws PluginFailure
 */
export async function tryPlugin(
  place: Place,
  { runners, contexts, version }: Starting,
  runningBefore: (key: string) => PluginOnNode | undefined,
): Promise<string> {
  const running = await runners.other(place, () => {})
  try {
    const { manifest } = running
    checkVersion(manifest, version)
    const before = runningBefore(manifest.slug)
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

/** Below zero when the first comes before the second. What stands behind a dash or plus does not count. */
function compareVersions(one: string, other: string): number {
  const numbers = (version: string) => version.split(/[-+]/, 1)[0]?.split('.').map(Number) ?? []
  const [left, right] = [numbers(one), numbers(other)]
  for (const at of [0, 1, 2]) if (left[at] !== right[at]) return (left[at] ?? 0) - (right[at] ?? 0)
  return 0
}
