import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { pluginChild } from '../../paths.ts'
import { PluginFailure, type PluginPaths } from '../running.ts'
import { channelDescriptor } from './messages.ts'

export type PluginProcess = {
  child: ChildProcess
  pid: number
  channel: Socket
  output: Readable
  errors: Readable
}

/**
 * The real paths of a plugin, on which Node bases its read permissions.
 * @throws PluginFailure if they cannot be those of a plugin
 */
export function resolvePluginPaths({ entry, folder }: PluginPaths): PluginPaths {
  const real: PluginPaths = { entry: realPath(entry), folder: realPath(folder) }
  if (!real.entry.startsWith(real.folder + sep)) throw new PluginFailure('load', 'its module is outside its folder')
  // an asterisk matches any rest of a path
  if (real.folder.includes('*')) throw new PluginFailure('load', 'the path of its folder contains an asterisk')
  return real
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    throw new PluginFailure('load', `its module cannot be found (${(error as NodeJS.ErrnoException).code})`)
  }
}

/**
 * Starts the process of a plugin, without permissions except to read its folder, and without environment. It ends when this process does.
 * @throws PluginFailure if no further process can be started
 */
export async function startProcess({ entry, folder }: PluginPaths, memoryMegabytes: number): Promise<PluginProcess> {
  const flags = [
    '--permission',
    ...[folder, ...pluginChild.folders].map((path) => `--allow-fs-read=${path}`),
    // SQLite opens files despite the permissions
    '--no-experimental-sqlite',
    '--disable-sigusr1',
    // Not less, or it would spend a long time on garbage collection before it ends: its total memory has this limit (`memory-limit.ts`).
    `--max-old-space-size=${memoryMegabytes}`,
  ]
  const child = spawn(process.execPath, [...flags, pluginChild.main, entry, pathToFileURL(pluginChild.api).href], {
    cwd: folder,
    env: {},
    // Not detached: in its own session, it would wait three times as long for processor time on a busy machine.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new PluginFailure('load', `its process could not be started (${(error as NodeJS.ErrnoException).code})`, 'ended')
  }
  // from here on, errors are reported when it exits
  child.on('error', () => {})
  const pid = child.pid as number
  killWithParent(child, pid)
  raiseOomScore(pid)
  return {
    child,
    pid,
    channel: child.stdio[channelDescriptor] as Socket,
    output: child.stdout as Readable,
    errors: child.stderr as Readable,
  }
}

/**
 * A plugin ends by itself when its channel closes, unless it is busy. So a shell waits for the end of a pipe that only this process holds,
 * and then kills it.
 */
export function killWithParent(child: ChildProcess, pid: number): void {
  const watcher = spawn('/bin/sh', ['-c', `read -r nothing; kill -KILL ${pid}`], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // without a shell, only a busy plugin continues to run
  watcher.on('error', () => {})
  watcher.unref()
  child.once('exit', () => watcher.kill('SIGKILL'))
}

/** Makes Linux kill a plugin before the service or its database when memory runs out. */
export function raiseOomScore(pid: number): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {}
}
