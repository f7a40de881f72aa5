import facts from 'facts:/api/part/category/parameters/'
import { useSignal } from '@preact/signals'
import { Chooser } from '../../../kit/form/chooser.tsx'
import { sourceOfKind } from '../../../kit/form/reference.ts'
import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { type Page as ListPage, withQuery } from '../../../kit/service/api.ts'
import { Rows, useAddedRow } from '../../../kit/sheet/rows.tsx'
import type { SheetColumn } from '../../../kit/sheet/sheet.tsx'
import { Dialog } from '../../../kit/window/dialog.tsx'
import { NewParameterTemplate } from '../parameters.tsx'
import type { ParameterTemplate } from '../part-reading.ts'

/** A parameter that new parts of a category get. */
type Given = {
  pk: number
  etag?: string
  category: number
  category_detail: { name: string } | null
  parameter_template_detail: ParameterTemplate | null
  default_value: string
}

type Properties = {
  category: number
  rights: { add: boolean; change: boolean; delete: boolean }
  onClose: () => void
}

/**
 * The parameters that new parts of a category get automatically, with their default values; those inherited from the categories above are
 * included.
 */
export function CategoryParameters({ category, rights, onClose }: Properties) {
  const { data, refusal, again } = useRead<{ given: ListPage<Given> }>({
    given: withQuery(facts.path, { category, fetch_parent: true, etag: true, limit: 500 }),
  })
  const { begin, add } = useAddedRow(facts.path, 'default_value', again)
  const added = useSignal(0)
  const isNew = useSignal(false)
  const take = async (template: { pk: number }) => {
    await add({ category, parameter_template: template.pk, default_value: '' })
    added.value++
  }
  const isOwn = (given: Given) => given.category === category
  const columns: SheetColumn<Given>[] = [
    {
      name: 'parameter_template',
      title: () => t('parts.parameter'),
      cell: (given) => (
        <>
          {given.parameter_template_detail?.name}{' '}
          {!isOwn(given) && <small>{t('parts.from-category', { name: given.category_detail?.name ?? '' })}</small>}
        </>
      ),
    },
    {
      name: 'default_value',
      cell: ({ default_value, parameter_template_detail }) =>
        [default_value, default_value && /^[\d.,]+$/.test(default_value) && parameter_template_detail?.units]
          .filter(Boolean)
          .join(' '),
      edit: true,
    },
  ]
  if (isNew.value)
    return (
      <NewParameterTemplate
        onMade={(made) => {
          isNew.value = false
          take(made)
        }}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={t('parts.category-parameters')} onClose={onClose} size="wide">
      <p class="quiet-text">{t('parts.category-parameters-text')}</p>
      {refusal && <p class="problem">{refusal.message}</p>}
      {data && (
        <Rows<Given>
          facts={facts}
          title={t('parts.category-parameters')}
          rows={data.given.body.results}
          columns={columns}
          rights={rights}
          isOwn={isOwn}
          nameOf={({ parameter_template_detail }) => parameter_template_detail?.name ?? ''}
          none={t('parts.no-category-parameters')}
          begin={begin}
          isBeside
          onChanged={again}
        />
      )}
      {rights.add && (
        <>
          <Chooser
            key={added.value}
            from={sourceOfKind('parameterTemplate')}
            value={null}
            onPick={(template) => template && take(template)}
            placeholder={t('parts.add-parameter')}
            attributes={{ 'aria-label': t('parts.add-parameter') }}
          />
          <button
            type="button"
            class="link"
            onClick={() => {
              isNew.value = true
            }}
          >
            {t('parts.new-template')}
          </button>
        </>
      )}
    </Dialog>
  )
}
