import type { Filter } from '../../../kit/definition/filter.ts'
import { isDate } from '../../../kit/definition/input.ts'
import { texts } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { OPEN_STATES, PO_STATUS } from './po-status.ts'

/** By reference: exactly, or, for existing clients, ignoring case (the table WIRE_FORM). */
export const referenceFilter: Filter = {
  kind: 'custom',
  names: { reference: 'The order with exactly this reference.' },
  read: ({ reference = '' }, { config }) => ({
    sql: config.wireForm === 'inventree' ? 'lower({reference}) = lower({@value})' : '{reference} = {@value}',
    values: [reference],
  }),
}

/** `min_date` and `max_date` together: what was completed, or is expected, within these days. One alone does nothing. */
export const inDateRange: Filter = {
  kind: 'custom',
  names: {
    min_date: 'With `max_date`: orders completed or, while open, expected within these days; the first of them.',
    max_date: 'The last day of those that begin with `min_date`.',
  },
  read(query) {
    const values = (['min_date', 'max_date'] as const).map((name) => {
      const value = (query[name] ?? '').trim()
      if (value !== '' && !isDate(value)) throw invalid({ [name]: [texts.filterDate] })
      return value
    })
    if (values.includes('')) return undefined
    const between = 'between {@value}::date and {@value1}::date'
    return {
      sql: `({status} = ${PO_STATUS.COMPLETE.key} and {complete_date} ${between}) or ({status} in ${OPEN_STATES} and {target_date} ${between})`,
      values,
    }
  },
}
