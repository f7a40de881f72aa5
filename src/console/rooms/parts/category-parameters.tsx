import facts from 'facts:/api/part/category/parameters/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Answer, type Page as ListPage, post, Refusal, withQuery } from '../../kit/api.ts'
import { Chooser } from '../../kit/chooser.tsx'
import { useRead } from '../../kit/data.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../kit/language.ts'
import { sourceOfKind } from '../../kit/reference.ts'
import { remove } from '../../kit/saves.ts'
import { Sheet, type SheetColumn } from '../../kit/sheet.tsx'
import { warn } from '../../kit/toast.tsx'
import { keepingDetails } from '../orders/order.ts'
import { NewParameterTemplate } from './parameters.tsx'
import type { ParameterTemplate } from './part-reading.ts'

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

/** What new parts of a category get by themselves, and with which value; what the categories above it give stands there too. */
export function CategoryParameters({ category, rights, onClose }: Properties) {
  const { data, refusal, again } = useRead<{ given: ListPage<Given> }>({
    given: withQuery(facts.path, { category, fetch_parent: true, etag: true, limit: 500 }),
  })
  const rows = useSignal<readonly Given[]>([])
  const begin = useSignal<{ pk: number; name: string } | undefined>(undefined)
  const added = useSignal(0)
  const isNew = useSignal(false)
  useEffect(() => {
    if (data) rows.value = data.given.body.results
  }, [data])
  async function attempt(change: () => Promise<void>) {
    try {
      await change()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(Object.values(error.fields).flat().join(' ') || error.message)
    }
    added.value++
    again()
  }
  const add = (template: { pk: number }) =>
    attempt(async () => {
      const { body } = await post<Given>(facts.path, { category, parameter_template: template.pk, default_value: '' })
      begin.value = { pk: body.pk, name: 'default_value' }
    })
  const own = (given: Given) => given.category === category
  const columns: SheetColumn<Given>[] = [
    {
      name: 'parameter_template',
      title: () => t('parts.parameter'),
      cell: (given) => (
        <>
          {given.parameter_template_detail?.name}{' '}
          {!own(given) && <small>{t('parts.from-category', { name: given.category_detail?.name ?? '' })}</small>}
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
      isOpen: own,
    },
  ]
  if (isNew.value)
    return (
      <NewParameterTemplate
        onMade={(made) => {
          isNew.value = false
          add(made)
        }}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={t('parts.category-parameters')} onClose={onClose} size="wide">
      <p class="quiet-text">{t('parts.category-parameters-text')}</p>
      {refusal && <p class="problem">{refusal.message}</p>}
      {rows.value.length > 0 ? (
        <Sheet<Given>
          facts={facts}
          title={t('parts.category-parameters')}
          rows={rows.value}
          columns={columns}
          mayChange={rights.change}
          onRow={({ body, etag }: Answer<Given>) => {
            rows.value = keepingDetails(rows.value, body, etag)
            again()
          }}
          begin={begin}
          isBeside
          end={
            rights.delete
              ? (given) =>
                  own(given) && (
                    <button
                      type="button"
                      class="quiet icon-only"
                      aria-label={t('parts.delete-parameter', { name: given.parameter_template_detail?.name ?? '' })}
                      onClick={() => attempt(async () => void (await remove(`${facts.path}${given.pk}/`, given.etag)))}
                    >
                      <Icon name="trash" />
                    </button>
                  )
              : undefined
          }
        />
      ) : (
        data && <p>{t('parts.no-category-parameters')}</p>
      )}
      {rights.add && (
        <>
          <Chooser
            key={added.value}
            from={sourceOfKind('parameterTemplate')}
            value={null}
            onPick={(template) => template && add(template)}
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
