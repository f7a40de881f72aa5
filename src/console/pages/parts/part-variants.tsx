import { useSignal } from '@preact/signals'
import { t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, type PageProperties, Panel } from '../../kit/page/page.tsx'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { CopyPart } from './copy-part.tsx'
import { MoreRows } from './more-rows.tsx'
import { AVAILABLE_COLUMN, IN_STOCK_COLUMN, type Part, PartBadges } from './part-details.tsx'
import { createCrumbs, getPartFrameUrls, PartFrame, type PartFrameData } from './part-frame.tsx'

/** Number of variants loaded at a time. */
const PAGE_SIZE = 500

/** A part, and its depth below the template. */
type NestedPart = Part & { depth: number }

/** `/part/:pk/variants/`: the variants of a template, each below its own template. */
export function PartVariantsPage({ params }: PageProperties) {
  const limit = useSignal(PAGE_SIZE)
  const { data, error, reload } = useRead<Omit<PartFrameData, 'variants'> & { variants: ListPage<Part> }>({
    ...getPartFrameUrls(params.pk as string),
    variants: withQuery('/api/part/', { ancestor: params.pk, ordering: 'name', flawed_stock: true, limit: limit.value }),
  })
  const isCreating = useSignal(false)
  const canAdd = hasPermission('add', 'part') && data?.part.body.is_template === true
  const openForm = () => {
    isCreating.value = true
  }
  useCommands(() => (canAdd ? [{ keys: 'n', label: () => t('parts.new-variant'), run: openForm }] : []), [canAdd])
  if (error) return <LoadError error={error} crumbs={createCrumbs(undefined)} />
  if (!data) return null
  const template = data.part.body
  const variants = data.variants.body.results
  const button = canAdd && (
    <button type="button" class="primary" onClick={openForm}>
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
            rows={nestVariants(template.pk, variants)}
            columns={[
              {
                name: 'name',
                cell: (part) => (
                  <span class="variant" style={{ '--depth': part.depth }}>
                    <Thumbnail url={part.thumbnail} />
                    <a href={`/part/${part.pk}/`}>{part.full_name}</a> <small>{part.description}</small>
                  </span>
                ),
              },
              { name: 'IPN', isWide: true, cell: ({ IPN }) => IPN },
              { name: 'kinds', title: () => t('parts.type'), isWide: true, cell: (part) => <PartBadges part={part} /> },
              IN_STOCK_COLUMN,
              AVAILABLE_COLUMN,
            ]}
          />
          <MoreRows
            visibleCount={variants.length}
            total={data.variants.body.count}
            onMore={() => {
              limit.value += PAGE_SIZE
            }}
          />
        </Panel>
      )}
      {isCreating.value && (
        <CopyPart
          part={template}
          isVariant
          onCreated={reload}
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
    </PartFrame>
  )
}

/** Orders each part after the template it is a variant of; variants of the same template stay in the order they were received in. */
function nestVariants(template: number, parts: readonly Part[]): NestedPart[] {
  const below = Map.groupBy(parts, ({ variant_of }) => variant_of)
  const listBelow = (pk: number, depth: number): NestedPart[] =>
    (below.get(pk) ?? []).flatMap((part) => [{ ...part, depth }, ...listBelow(part.pk, depth + 1)])
  return listBelow(template, 0)
}
