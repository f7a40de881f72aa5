import type { Json } from '../../plugin-api/index.ts'
import type { ContextCalls } from '../running.ts'

/**
 * Messages between the service and the process of a plugin, as JSON in frames over a dedicated pipe. Neither Node's channel between
 * processes nor V8's own format is suitable: messages over them have no size limit, and invalid data crashes the service.
 */
export type ToPlugin =
  | {
      type: 'call'
      id: number
      hook: string
      args: readonly unknown[]
      /** Indexes of undefined arguments, which JSON writes as null. */
      absent?: readonly number[]
      /** The raw bytes after the JSON text: index of the argument, its property, and the number of bytes. */
      bytes?: readonly (readonly [argument: number, property: string, length: number])[]
    }
  | { type: 'answer'; id: number; value?: unknown; refused?: string }
  | { type: 'ping' }

export type ContextCallName = Exclude<keyof ContextCalls, 'log'>

export type FromPlugin =
  | { type: 'ready'; manifest: unknown }
  /** It cannot be loaded, or its process ends because of an uncaught error. The service may show the message, and log the stack. */
  | { type: 'broken'; message: string; stack: string }
  | { type: 'done'; id: number; value: unknown }
  | { type: 'failed'; id: number; message: string; stack: string }
  | { type: 'ask'; id: number; call: number; what: ContextCallName; args: readonly unknown[] }
  | { type: 'log'; call: number; level: 'info' | 'warn' | 'error'; message: string; details?: Json }
  | { type: 'pong' }

/** Maximum size of a message to a plugin in bytes: a PDF of many labels is one message. */
export const maxBytesToPlugin = 64 * 1024 * 1024

/** Maximum size of a message from a plugin in bytes. Reading one blocks the service. */
export const maxBytesFromPlugin = 4 * 1024 * 1024

/** Maximum number of open context calls in one call; the plugin's side queues further ones. */
export const maxOpenRequests = 4

/** Maximum characters of a log line. */
export const maxLogLineLength = 1_000

/** The file descriptor of the pipe in the process of the plugin. */
export const channelDescriptor = 3
