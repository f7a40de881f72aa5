import { type ResourceLimits, Worker } from 'node:worker_threads'

type Bounds = {
  /** Milliseconds that it may take. */
  timeLimit: number
  resourceLimits: ResourceLimits
  /** What is thrown where it takes too long or too much, or fails. */
  refusal: () => Error
}

/**
 * Has a module do its work in a thread of its own, so that other requests are answered meanwhile; what takes too long or too much is ended.
 * @param module what reads `workerData`, and posts one message
 * @returns that message
 */
export function inThread<Answer>(
  module: URL,
  workerData: unknown,
  { timeLimit, resourceLimits, refusal }: Bounds,
): Promise<Answer> {
  const thread = new Worker(module, { workerData, resourceLimits, stdout: true, stderr: true, env: {} })
  return new Promise<Answer>((resolve, reject) => {
    const refuse = () => reject(refusal())
    const timer = setTimeout(refuse, timeLimit)
    thread.once('message', resolve).once('error', refuse).once('exit', refuse)
    thread.once('exit', () => clearTimeout(timer))
  }).finally(() => thread.terminate())
}
