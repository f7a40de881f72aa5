/**
 * Runs first in the process of a plugin: loads the plugin, sends its description to the service, and runs its calls. It may read only the
 * plugin's folder and the files of `pluginChild`, so it imports nothing else of the service.
 */
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import os from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Json } from '../../plugin-api/index.ts'
import { apiPackage } from '../api-package.ts'
import { createContext } from '../context.ts'
import { describePlugin, type Hook } from '../hooks.ts'
import { type ContextCalls, getErrorMessage } from '../running.ts'
import { buildFrame, FrameReader } from './frames.ts'
import {
  type ContextCallName,
  channelDescriptor,
  type FromPlugin,
  maxBytesFromPlugin,
  maxBytesToPlugin,
  maxLogLineLength,
  maxOpenRequests,
  type ToPlugin,
} from './messages.ts'

const socket = new Socket({ fd: channelDescriptor, readable: true, writable: true })
const openRequests = new Map<number, PromiseWithResolvers<unknown>>()
let lastRequestId = 0
let hooks: ReadonlyMap<string, Hook> = new Map()

blockProcessAccess()
const [entry, api] = process.argv.slice(2) as [string, string]
resolveApi(api)
listen()
await load(entry)

/** Disables functions that reach other processes and need no permission. This stops mistakes; docs/guides/writing-plugins.md lists its limits. */
function blockProcessAccess(): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const name of ['kill', '_kill', '_debugProcess']) delete (process as unknown as Record<string, unknown>)[name]
  delete (os as Partial<typeof os>).setPriority
  syncBuiltinESMExports()
}

/** Resolves the API to the one of the service that runs the plugin, in any location of the plugin. */
function resolveApi(url: string): void {
  registerHooks({
    resolve: (specifier, context, next) => (specifier === apiPackage ? { url, shortCircuit: true } : next(specifier, context)),
  })
}

function listen(): void {
  const reader = new FrameReader(maxBytesToPlugin, (text, bytes) => handleMessage(JSON.parse(text), bytes))
  socket.on('data', (chunk: Buffer) => reader.push(chunk))
  // the service has stopped this plugin, or has ended
  socket.on('close', () => process.exit(0))
  socket.on('error', () => process.exit(0))
  // Ctrl-C and a system shutdown may signal all processes. The service stops its plugins itself.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
  process.on('uncaughtException', (error) => {
    while (socket.writableCorked) socket.uncork()
    socket.write(buildFrame(JSON.stringify({ type: 'broken', ...describeError(error) } satisfies FromPlugin)))
    process.exit(1)
  })
}

function handleMessage(message: ToPlugin, bytes: Buffer): void {
  switch (message.type) {
    case 'call':
      runCall(message, readArguments(message, bytes))
      break
    case 'answer': {
      const pendingRequest = openRequests.get(message.id)
      openRequests.delete(message.id)
      if (message.refused === undefined) pendingRequest?.resolve(message.value)
      else pendingRequest?.reject(new Error(message.refused))
      break
    }
    case 'ping':
      send({ type: 'pong' })
  }
}

/** @throws an error for values that JSON cannot represent, and for messages that are too long */
function send(message: FromPlugin): void {
  const frame = buildFrame(JSON.stringify(message))
  if (frame.length > maxBytesFromPlugin) throw new Error(`more than ${maxBytesFromPlugin} bytes cannot be sent to the service`)
  if (socket.writableCorked === 0) {
    socket.cork()
    process.nextTick(() => socket.uncork())
  }
  socket.write(frame)
}

async function load(entry: string): Promise<void> {
  try {
    const module = await import(pathToFileURL(entry).href)
    const described = describePlugin(module.default)
    hooks = described.hooks
    send({ type: 'ready', manifest: described.manifestData })
  } catch (error) {
    send({ type: 'broken', ...describeError(error) })
  }
}

function readArguments({ args, absent, bytes }: ToPlugin & { type: 'call' }, data: Buffer): unknown[] {
  const values = [...args]
  for (const index of absent ?? []) values[index] = undefined
  let start = 0
  for (const [index, property, length] of bytes ?? []) {
    const owner = values[index] as Record<string, unknown>
    owner[property] = new Uint8Array(data.subarray(start, start + length))
    start += length
  }
  return values
}

async function runCall({ id, hook }: ToPlugin & { type: 'call' }, args: unknown[]): Promise<void> {
  let hasEnded = false
  try {
    const value = await hooks.get(hook)?.(
      ...args,
      createContext(createContextCalls(id), () => hasEnded),
    )
    send({ type: 'done', id, value })
  } catch (error) {
    send({ type: 'failed', id, ...describeError(error) })
  } finally {
    hasEnded = true
  }
}

/** Describes an error, within the limits of the service. */
function describeError(error: unknown): { message: string; stack: string } {
  let stack = ''
  try {
    stack = error instanceof Error ? String(error.stack) : ''
  } catch {}
  return { message: getErrorMessage(error).slice(0, 2_000), stack: stack.slice(0, 4_000) }
}

function createContextCalls(call: number): ContextCalls {
  const waiting: (() => void)[] = []
  let open = 0
  const request = async (name: ContextCallName, ...args: unknown[]): Promise<any> => {
    if (open === maxOpenRequests) await new Promise<void>((resolve) => waiting.push(resolve))
    else open++
    const id = ++lastRequestId
    const pendingRequest = Promise.withResolvers<unknown>()
    try {
      openRequests.set(id, pendingRequest)
      send({ type: 'ask', id, call, what: name, args })
      return await pendingRequest.promise
    } finally {
      openRequests.delete(id)
      const next = waiting.shift()
      if (next) next()
      else open--
    }
  }
  return {
    setting: (key) => request('setting', key),
    userSetting: (key) => request('userSetting', key),
    read: (path, query) => request('read', path, query ?? {}),
    send: (method, path, body) => request('send', method, path, body ?? null),
    fetchText: (url, maxBytes) => request('fetchText', url, ...(maxBytes === undefined ? [] : [maxBytes])),
    runLater: (name) => request('runLater', name),
    log: (level, message, details) => logLine(call, level, message, details),
  }
}

/** A log line never causes a failure. */
function logLine(call: number, level: 'info' | 'warn' | 'error', message: unknown, details?: Json): void {
  const line = { type: 'log', call, level, message: getErrorMessage(message).slice(0, maxLogLineLength) } as const
  try {
    send({ ...line, details })
  } catch {
    send({ ...line, details: 'too large to send' })
  }
}
