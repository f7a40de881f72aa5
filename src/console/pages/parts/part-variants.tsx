import { useSignal } from '@preact/signals'
import { t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, type PageProperties, Panel } from '../../kit/page/page.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { CopyPart } from './copy-part.tsx'
import { MoreRows } from './more-rows.tsx'
import { FREE, IN_STOCK, type Part, PartBadges } from './part-details.tsx'
import { crumbsOf, type Framed, framed, PartFrame } from './part-frame.tsx'

/** Number of variants loaded at a time. */
const STEP = 500

/** A part, and its depth below the template. */
type Nested = Part & { depth: number }

/** `/part/:pk/variants/`: the variants of a template, each below its own template. */
export function PartVariants({ at }: PageProperties) {
  const limit = useSignal(STEP)
  const { data, error, reload } = useRead<Omit<Framed, 'variants'> & { variants: ListPage<Part> }>({
    ...framed(at.pk as string),
    variants: withQuery('/api/part/', { ancestor: at.pk, ordering: 'name', flawed_stock: true, limit: limit.value }),
  })
  const isMaking = useSignal(false)
  const mayAdd = may('add', 'part') && data?.part.body.is_template === true
  const make = () => {
    isMaking.value = true
  }
  useCommands(() => (mayAdd ? [{ keys: 'n', label: () => t('parts.new-variant'), run: make }] : []), [mayAdd])
  if (error) return <LoadError error={error} crumbs={crumbsOf(undefined)} />
  if (!data) return null
  const template = data.part.body
  const variants = data.variants.body.results
  const button = mayAdd && (
    <button type="button" class="primary" onClick={make}>
      <Icon name="plus" />
      {t('parts.new-variant')}
    </button>
  )
  return (
    <PartFrame data={data} tab="variants/" actions={button}>
      {variants.length === 0 ? (
        <Empty icon="chip" title={t('parts.no-variants')}>
          {template.is_template ? button : <p>{t('parts.no-template')}</p>}
        </Empty>
      ) : (
        <Panel>
          <ShortTable
            title={t('parts.variants')}
            rows={nested(template.pk, variants)}
            columns={[
              {
                name: 'name',
                cell: (part) => (
                  <span class="variant" style={{ '--depth': part.depth }}>
                    <a href={`/part/${part.pk}/`}>{part.full_name}</a> <small>{part.description}</small>
                  </span>
                ),
              },
              { name: 'IPN', isWide: true, cell: ({ IPN }) => IPN },
              { name: 'kinds', title: () => t('parts.kind'), isWide: true, cell: (part) => <PartBadges part={part} /> },
              IN_STOCK,
              FREE,
            ]}
          />
          <MoreRows
            visibleCount={variants.length}
            total={data.variants.body.count}
            onMore={() => {
              limit.value += STEP
            }}
          />
        </Panel>
      )}
      {isMaking.value && (
        <CopyPart
          part={template}
          isVariant
          onCreated={reload}
          onClose={() => {
            isMaking.value = false
          }}
        />
      )}
    </PartFrame>
  )
}

/** Orders each part after the template it is a variant of; variants of the same template stay in the order they were received in. */
function nested(template: number, parts: readonly Part[]): Nested[] {
  const below = Map.groupBy(parts, ({ variant_of }) => variant_of)
  const walk = (pk: number, depth: number): Nested[] =>
    (below.get(pk) ?? []).flatMap((part) => [{ ...part, depth }, ...walk(part.pk, depth + 1)])
  return walk(template, 0)
}
