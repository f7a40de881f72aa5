import type { Statement } from '../../../database/text-query.ts'

/** Maximum number of results that one request copies; if there are more, the latest of each item are copied. */
const MAX_COPIED_RESULTS = 100_000

/**
 * Copies the test results of source items to the items that are split off, with their dates and authors.
 * @param sources the key of each new item's source, in the order of `copies`
 */
export function testResultWrites(sources: readonly number[], copies: readonly number[]): Statement[] {
  if (copies.length === 0) return []
  return [
    {
      text: `insert into stock_item_test_result
       (stock_item, template, result, value, attachment, notes, test_station, started_datetime, finished_datetime, "user", date, metadata)
     select new_item.pk, result.template, result.result, result.value, result.attachment, result.notes, result.test_station,
       result.started_datetime, result.finished_datetime, result."user", result.date, result.metadata
     from unnest($1::integer[], $2::integer[]) new_item (source, pk)
     cross join lateral (
       select * from stock_item_test_result where stock_item = new_item.source order by date desc, pk desc limit $3
     ) result
     order by new_item.pk, result.date, result.pk`,
      values: [sources, copies, Math.floor(MAX_COPIED_RESULTS / copies.length)],
    },
  ]
}
