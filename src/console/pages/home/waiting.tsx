import type { VNode } from 'preact'
import { number, quantity, t } from '../../kit/language/language.ts'
import { Row } from './row.tsx'
import { type BuildLine, missingOf, missingOfBuild, type Work } from './work-lists.ts'

/** Order lines that wait for missing parts. */
export const waitingOf = ({ salesLines, buildLines }: Work): VNode[] => [
  ...(salesLines?.results ?? []).map((line) => (
    <Row
      key={`sales-${line.pk}`}
      icon="truck"
      title={
        <>
          <a href={`/order/sales-order/${line.order}/`}>{line.order_detail?.reference}</a>{' '}
          <a href={`/part/${line.part_detail?.pk}/`}>{line.part_detail?.name}</a>
        </>
      }
      more={t('home.missing', { missing: quantity(missingOf(line), line.part_detail?.units), of: number(line.quantity) })}
      action={{ label: t('home.part'), to: `/part/${line.part_detail?.pk}/` }}
    />
  )),
  ...selectMissingLines(buildLines?.results ?? []).map((line) => (
    <Row
      key={`build-${line.pk}`}
      icon="wrench"
      title={
        <>
          <a href={`/build/${line.build}/`}>{line.build_detail?.reference}</a>{' '}
          <a href={`/part/${line.part_detail?.pk}/`}>{line.part_detail?.name}</a>
        </>
      }
      more={t('home.missing', { missing: quantity(missingOfBuild(line), line.part_detail?.units), of: number(line.quantity) })}
      action={{ label: t('home.part'), to: `/part/${line.part_detail?.pk}/` }}
    />
  )),
]

/** The service counts installed components as missing. */
const selectMissingLines = (lines: readonly BuildLine[]) => lines.filter((line) => missingOfBuild(line) > 0)
