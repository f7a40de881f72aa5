import { useEffect } from 'preact/hooks'
import { useRead } from '../../kit/page/data.ts'
import { type Page, withQuery } from '../../kit/service/api.ts'
import type { Station } from '../../scanner/station.ts'

/**
 * Loads the lines of an order, with their parts, and reloads them after each scan that changed something; undefined until they are loaded.
 * @param url the list of these lines
 * @param orderFilter the filter for the order
 */
export function useOrderLines<Line>(
  url: string,
  orderFilter: Readonly<Record<string, number | boolean>>,
  station: Station,
): readonly Line[] | undefined {
  const { data, reload } = useRead<{ lines: Page<Line> }>({
    lines: withQuery(url, { ...orderFilter, part_detail: true, limit: 250 }),
  })
  const { value: changes } = station.changeCount
  useEffect(() => {
    if (changes > 0) reload()
  }, [changes])
  return data?.lines.body.results
}
