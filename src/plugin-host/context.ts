import type { Context } from '../plugin-api/index.ts'
import type { ContextCalls } from './running.ts'

/** The error of a context that outlives its call. */
export const CALL_ENDED = 'the call that this context belongs to has ended'

/**
 * Creates the context that a plugin sees.
 * @param hasEnded whether its call has ended. Only its log works after that.
 */
export function createContext(calls: ContextCalls, hasEnded: () => boolean): Context {
  const runUnlessEnded = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (hasEnded()) throw new Error(CALL_ENDED)
    return work()
  }
  return Object.freeze({
    settings: Object.freeze({ get: (key: string) => runUnlessEnded(() => calls.setting(key)) as Promise<any> }),
    userSettings: Object.freeze({ get: (key: string) => runUnlessEnded(() => calls.userSetting(key)) as Promise<any> }),
    log: Object.freeze({
      info: (message, details) => calls.log('info', message, details),
      warn: (message, details) => calls.log('warn', message, details),
      error: (message, details) => calls.log('error', message, details),
    }),
    read: (path, query) => runUnlessEnded(() => calls.read(path, query)),
    send: (method, path, body) => runUnlessEnded(() => calls.send(method, path, body)),
    fetchText: (url, maxBytes) => runUnlessEnded(() => calls.fetchText(url, maxBytes)),
    runLater: (name) => runUnlessEnded(() => calls.runLater(name)),
  } satisfies Context)
}
