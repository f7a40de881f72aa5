import type { VNode } from 'preact'
import { formatNumber, formatWithUnit, t } from '../../kit/language/language.ts'
import { calculateShortage } from '../builds/build-details.ts'
import { Row } from './row.tsx'
import { type BuildLine, getMissingQuantity, type HomeData } from './work-lists.ts'

/** Order lines that wait for missing parts. */
export const renderWaitingLines = ({ salesLines, buildLines }: HomeData): VNode[] => [
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
      detail={t('home.missing', {
        missing: formatWithUnit(getMissingQuantity(line), line.part_detail?.units),
        of: formatNumber(line.quantity),
      })}
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
      detail={t('home.missing', {
        missing: formatWithUnit(calculateShortage(line), line.part_detail?.units),
        of: formatNumber(line.quantity),
      })}
      action={{ label: t('home.part'), to: `/part/${line.part_detail?.pk}/` }}
    />
  )),
]

/** Leaves out lines whose missing components are installed: the service counts these as missing. */
const selectMissingLines = (lines: readonly BuildLine[]) => lines.filter((line) => calculateShortage(line) > 0)
