import { useEffect } from 'preact/hooks'
import { useRead } from '../../kit/page/data.ts'
import { type Page, withQuery } from '../../kit/service/api.ts'
import type { Station } from '../../scanner/station.ts'

/**
 * The lines of an order, with their parts, read anew after each scan that changed something; nothing before they are there.
 * @param url the list of such lines
 * @param of which of them
 */
export function useLinesOf<Line>(
  url: string,
  of: Readonly<Record<string, number | boolean>>,
  station: Station,
): readonly Line[] | undefined {
  const { data, again } = useRead<{ lines: Page<Line> }>({ lines: withQuery(url, { ...of, part_detail: true, limit: 250 }) })
  const { value: changes } = station.changes
  useEffect(() => {
    if (changes > 0) again()
  }, [changes])
  return data?.lines.body.results
}
