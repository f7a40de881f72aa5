import type { Json } from '../../plugin-api/index.ts'
import type { ContextCalls } from '../running.ts'

/**
 * What the service and the process of a plugin tell each other, as JSON in frames over a pipe of their own. Neither Node's channel
 * between processes nor V8's own format will do: what a process sends over them has no limit, and ends the service when it is garbage.
 */
export type ToPlugin =
  | {
      type: 'call'
      id: number
      hook: string
      args: readonly unknown[]
      /** Which arguments are undefined: JSON has null there. */
      absent?: readonly number[]
      /** Bytes behind the text: the argument, its property, and how many. */
      bytes?: readonly (readonly [argument: number, property: string, length: number])[]
    }
  | { type: 'answer'; id: number; value?: unknown; refused?: string }
  | { type: 'ping' }

export type Asked = Exclude<keyof ContextCalls, 'log'>

export type FromPlugin =
  | { type: 'ready'; said: unknown }
  /** It cannot be loaded, or its process ends for what nobody caught. The service may show the message, and log the stack. */
  | { type: 'broken'; message: string; stack: string }
  | { type: 'done'; id: number; value: unknown }
  | { type: 'failed'; id: number; message: string; stack: string }
  | { type: 'ask'; id: number; call: number; what: Asked; args: readonly unknown[] }
  | { type: 'log'; call: number; level: 'info' | 'warn' | 'error'; message: string; details?: Json }
  | { type: 'pong' }

/** How many bytes a message to a plugin may have: a PDF of many labels is one. */
export const mostToPlugin = 64 * 1024 * 1024

/** How many bytes a message of a plugin may have. The service stands still while it reads one. */
export const mostFromPlugin = 4 * 1024 * 1024

/** How many questions of one call may be open at once; the plugin's side holds back further ones. */
export const mostAsked = 4

/** How many characters a line for the log may have. */
export const mostLine = 1_000

/** The file descriptor of the pipe in the process of the plugin. */
export const channel = 3
