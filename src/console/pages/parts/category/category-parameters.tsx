import metadata from 'metadata:/api/part/category/parameters/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Combobox } from '../../../kit/form/combobox.tsx'
import { getSource } from '../../../kit/form/reference.ts'
import type { GridColumn } from '../../../kit/grid/grid.tsx'
import { Rows, useAddedRow } from '../../../kit/grid/rows.tsx'
import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { type Page as ListPage, withQuery } from '../../../kit/service/api.ts'
import type { ParameterTemplate } from '../../../kit/table/parameter-query.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import { NewParameterTemplate } from '../parameters.tsx'

/** A parameter that new parts of a category get. */
type CategoryParameter = {
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
}

/** The parameters that new parts of a category get automatically, in a dialog that can create parameter templates as well. */
export function CategoryParameters({ onClose, ...properties }: Properties & { onClose: () => void }) {
  const isNew = useSignal(false)
  const createdTemplate = useSignal<{ pk: number } | undefined>(undefined)
  if (isNew.value)
    return (
      <NewParameterTemplate
        onCreated={(template) => {
          isNew.value = false
          createdTemplate.value = template
        }}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={t('parts.category-parameters')} onClose={onClose} size="wide">
      <CategoryParameterRows {...properties} template={createdTemplate.value} />
      {properties.rights.add && (
        <button
          type="button"
          class="link"
          onClick={() => {
            isNew.value = true
          }}
        >
          {t('parts.new-template')}
        </button>
      )}
    </Dialog>
  )
}

/**
 * The parameters that new parts of a category get automatically, with their default values; those inherited from the categories above are
 * included.
 * @param template a parameter template that is added immediately
 */
export function CategoryParameterRows({ category, rights, template }: Properties & { template?: { pk: number } | undefined }) {
  const { data, error, reload } = useRead<{ given: ListPage<CategoryParameter> }>({
    given: withQuery(metadata.path, { category, fetch_parent: true, etag: true, limit: 500 }),
  })
  const { editRequest, add } = useAddedRow(metadata.path, 'default_value', reload)
  const addedCount = useSignal(0)
  const addParameter = async ({ pk }: { pk: number }) => {
    await add({ category, parameter_template: pk, default_value: '' })
    addedCount.value++
  }
  useEffect(() => {
    if (template) void addParameter(template)
  }, [template])
  const isOwn = (parameter: CategoryParameter) => parameter.category === category
  const columns: GridColumn<CategoryParameter>[] = [
    {
      name: 'parameter_template',
      title: () => t('parts.parameter'),
      cell: (parameter) => (
        <>
          {parameter.parameter_template_detail?.name}{' '}
          {!isOwn(parameter) && <small>{t('parts.from-category', { name: parameter.category_detail?.name ?? '' })}</small>}
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
  return (
    <div class="spaced">
      <p class="quiet-text">{t('parts.category-parameters-text')}</p>
      {error && <p class="problem">{error.message}</p>}
      {data && (
        <Rows<CategoryParameter>
          metadata={metadata}
          title={t('parts.category-parameters')}
          rows={data.given.body.results}
          columns={columns}
          rights={rights}
          isOwn={isOwn}
          getName={({ parameter_template_detail }) => parameter_template_detail?.name ?? ''}
          emptyText={t('parts.no-category-parameters')}
          editRequest={editRequest}
          isSecondary
          onChanged={reload}
        />
      )}
      {rights.add && (
        <Combobox
          key={addedCount.value}
          source={getSource('parameterTemplate')}
          value={null}
          onPick={(picked) => picked && addParameter(picked)}
          placeholder={t('parts.add-parameter')}
          attributes={{ 'aria-label': t('parts.add-parameter') }}
        />
      )}
    </div>
  )
}
