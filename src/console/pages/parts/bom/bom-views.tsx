import { useLayoutEffect, useRef } from 'preact/hooks'
import { type PlainKey, t } from '../../../kit/language/language.ts'
import { showCurrentLink } from '../../../kit/navigation/current-link.ts'

/** The pages of a BOM, and those of the assemblies that use a part, by the suffix of the part's URL. */
const VIEWS = {
  bom: [
    ['bom/', 'bom.lines'],
    ['bom/tree/', 'bom.tree'],
    ['bom/cost/', 'bom.cost-and-limits'],
    ['bom/compare/', 'bom.compare'],
  ],
  uses: [
    ['used-in/', 'bom.direct'],
    ['used-in/tree/', 'bom.tree'],
  ],
} as const satisfies Record<string, readonly (readonly [string, PlainKey])[]>

type View = (typeof VIEWS)[keyof typeof VIEWS][number][0]

/** Links to the pages of a BOM, or of the uses of a part. */
export function BomViews({ part, view }: { part: number; view: View }) {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => showCurrentLink(ref.current), [view])
  const views = view.startsWith('bom') ? VIEWS.bom : VIEWS.uses
  return (
    <nav class="sub-tabs" ref={ref} aria-label={t('bom.views')}>
      {views.map(([suffix, title]) => (
        <a key={suffix} href={`/part/${part}/${suffix}`} aria-current={suffix === view ? 'page' : undefined}>
          {t(title)}
        </a>
      ))}
    </nav>
  )
}
