import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { createChildRunner } from '../plugin-host/child/in-child.ts'
import type { ContextCalls, PluginFailure, PluginPaths, RunningPlugin } from '../plugin-host/running.ts'
import { runAfterAllFiles } from './after-all-files.ts'
import { scaleTimeout } from './slowness.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'stockroom-plugins-')))
const startedPlugins = new Set<RunningPlugin>()
let folderCount = 0

runAfterAllFiles(async () => {
  await Promise.all([...startedPlugins].map((plugin) => plugin.stop()))
  rmSync(root, { recursive: true, force: true, maxRetries: 20 })
})

/** Returns the source of a plugin in TypeScript. */
export const createPluginSource = (members = '', preamble = ''): string => `
import { definePlugin } from '@stockroom-inventory/plugin'
import fs from 'node:fs'
${preamble}
export default definePlugin({ slug: 'tried', name: 'Tried', version: '1.0.0', ${members} })
`

/** Writes the files of a plugin to a folder of its own. The first one is its module. */
export function writePluginFiles(files: Readonly<Record<string, string>>): PluginPaths {
  const folder = join(root, `plugin-${++folderCount}`)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return { entry: join(folder, Object.keys(files)[0] as string), folder }
}

export type TestPlugin = {
  running: RunningPlugin
  paths: PluginPaths
  /** Its log entries. */
  lines: { level: number; msg: string; details?: unknown }[]
  /** Fulfilled when it ends by itself. */
  ended: Promise<PluginFailure>
  /** Calls one of its functions, with a long timeout. */
  call(hook: string, ...args: unknown[]): Promise<any>
}

/** Creates a context that expects no calls except the given ones. */
export const createContextCalls = (overrides: Partial<ContextCalls> = {}): ContextCalls => ({
  setting: async (key) => `the value of ${key}`,
  userSetting: async (key) => `the value of ${key} for the account`,
  log: () => {},
  read: async (path, query) => ({ status: 200, body: { path, query } }),
  send: async (method, path, body) => ({ status: 200, body: { method, path, body } }),
  fetchText: async (address) => `the text of ${address}`,
  runLater: async () => {},
  ...overrides,
})

/** Runs a plugin in a process of its own until the end of the tests. */
export async function runPlugin(
  paths: PluginPaths,
  options: { memoryMegabytes?: number; loadTimeoutMs?: number } = {},
): Promise<TestPlugin> {
  const lines: TestPlugin['lines'] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const ended = Promise.withResolvers<PluginFailure>()
  const run = createChildRunner({ memoryMegabytes: 256, log, loadTimeoutMs: scaleTimeout(10_000), ...options })
  const plugin = await run(paths, ended.resolve)
  startedPlugins.add(plugin)
  return {
    running: plugin,
    paths,
    lines,
    ended: ended.promise,
    call: (hook, ...args) => plugin.call(hook, args, createContextCalls(), scaleTimeout(10_000)),
  }
}
