import type { Statement } from '../../database/text-query.ts'
import type { Condition } from '../definition/filter.ts'
import { invalidQuery, Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { Semaphore } from '../services/semaphore.ts'
import type { Services } from '../services/services.ts'
import type { Database } from '../sql/tx.ts'
import type { ErrorMessage } from '../values/message.ts'
import { queryErrors } from '../values/value-errors.ts'

/** Maximum time of a statement with clients' regular expressions, in milliseconds. */
const TIME_LIMIT_MS = 2_000

/** Limits of a statement with clients' regular expressions: its timeout, and the queue that it waits in. */
export type RegexLimits = Required<Pick<Statement, 'timeLimit' | 'enqueue'>>

/** Milliseconds to wait in the queue: a little more than twice the timeout of a statement. */
const TURN_TIMEOUT_MS = 5_000

const semaphores = new WeakMap<Database, Semaphore>()

/** Limits regular expressions to a quarter of the connections, so that other requests do not wait for them. */
function getSemaphore({ database, config }: Services): Semaphore {
  const existing = semaphores.get(database.origin)
  if (existing) return existing
  const maxConcurrent = Math.max(1, Math.floor(config.databasePoolSize / 4))
  const semaphore = new Semaphore(maxConcurrent, TURN_TIMEOUT_MS, requestErrors.too_many_regex_searches)
  semaphores.set(database.origin, semaphore)
  return semaphore
}

/**
 * Reads by conditions that include a client's regular expressions, with limits that `read` passes to its statement.
 * @param account account of the request: accounts take turns
 * @throws Problem `invalid` (400) with the parameter whose expression PostgreSQL rejects, or all of them when it takes too long
 * @throws Problem `unavailable` (503) when too many others are running
 */
export async function readByRegex<T>(
  conditions: readonly Condition[],
  services: Services,
  account: number | undefined,
  read: (limits: RegexLimits) => Promise<T>,
): Promise<T> {
  const semaphore = getSemaphore(services)
  const limits: RegexLimits = { timeLimit: TIME_LIMIT_MS, enqueue: (work) => semaphore.run(work, { account }) }
  try {
    return await read(limits)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === QUERY_CANCELED) throw createConditionError(conditions, queryErrors.regular_expression_too_slow)
    const rejectedConditions = isRegexError(error) ? await findRejectedConditions(conditions, services.database, limits) : []
    throw rejectedConditions.length ? createConditionError(rejectedConditions, queryErrors.invalid_regular_expression) : error
  }
}

const QUERY_CANCELED = '57014'

/** Whether an error has a SQLSTATE of a rejected expression: invalid, or, if it is too complex, too deep, out of memory or internal error. */
const isRegexError = (error: unknown) => ['2201B', '54001', '53200', 'XX000'].includes((error as { code?: string }).code ?? '')

/** Finds the conditions whose regular expression PostgreSQL rejects. */
async function findRejectedConditions(
  conditions: readonly Condition[],
  database: Database,
  limits: RegexLimits,
): Promise<Condition[]> {
  const invalidConditions: Condition[] = []
  for (const condition of conditions) {
    const testStatement = { text: `select '' ~* $1`, values: condition.values, ...limits }
    await database.queryAsText(testStatement).catch((error) => {
      if (isRegexError(error)) invalidConditions.push(condition)
      // it timed out in the queue
      else if (error instanceof Problem) throw error
    })
  }
  return invalidConditions
}

const createConditionError = (conditions: readonly Condition[], message: ErrorMessage) =>
  invalidQuery(Object.fromEntries(conditions.map(({ regex }) => [regex, [message]])))
