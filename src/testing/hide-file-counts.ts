import type { TestEvent } from 'node:test/reporters'

/** Counts at the end of a run: `pass 12`. */
const COUNT_MESSAGE = /^(tests|pass|fail) (\d+)$/

/**
 * Omits the tests that represent whole files (`together.ts`) from the report of a run: the tests in them are reported and counted as if
 * each file had been run alone. A file that failed itself, and not because of one of its tests, is reported.
 * @param groups the modules that run several files
 */
export function omitFileTests(groups: ReadonlySet<string>) {
  const omitted = { tests: 0, pass: 0, fail: 0 }
  return async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      const { data } = event as { data: any }
      const countMatch = event.type === 'test:diagnostic' && data.nesting === 0 && COUNT_MESSAGE.exec(data.message)
      if (countMatch) {
        const [, counter, number] = countMatch as unknown as [string, keyof typeof omitted, string]
        yield { ...event, data: { ...data, message: `${counter} ${Number(number) - omitted[counter]}` } }
      } else if (!groups.has(data.entryFile) || data.nesting === undefined) yield event
      else if (data.nesting > 0) yield { ...event, data: { ...data, nesting: data.nesting - 1 } }
      else if (event.type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') yield event
      else if (event.type === 'test:pass' || event.type === 'test:fail') {
        omitted.tests++
        omitted[event.type === 'test:pass' ? 'pass' : 'fail']++
      }
    }
  }
}
