import { useEffect } from 'preact/hooks'
import { type Page, withQuery } from '../../kit/api.ts'
import { useRead } from '../../kit/data.ts'
import type { Station } from '../../scanner/station.ts'

/**
 * The lines of an order, with their parts, read anew after each scan that changed something; nothing before they are there.
 * @param url the list of such lines
 */
export function useLinesOf<Line>(url: string, order: number, station: Station): readonly Line[] | undefined {
  const { data, again } = useRead<{ lines: Page<Line> }>({ lines: withQuery(url, { order, part_detail: true, limit: 250 }) })
  const { value: changes } = station.changes
  useEffect(() => {
    if (changes > 0) again()
  }, [changes])
  return data?.lines.body.results
}
