import copyMetadata from 'metadata:/api/part/{id}/bom-copy/'
import { useSignal } from '@preact/signals'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { count, number, t } from '../../../kit/language/language.ts'
import { useCommands } from '../../../kit/navigation/keys.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Menu } from '../../../kit/page/menu.tsx'
import { Badge, type PageProperties } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { change, type Page as ListPage, post, withQuery } from '../../../kit/service/api.ts'
import { may } from '../../../kit/service/session.ts'
import { NewBuild } from '../../builds/new-build.tsx'
import { crumbsOf, type Framed, framed, PartFrame } from '../part-frame.tsx'
import { rangeOf } from '../part-history.tsx'
import type { BomLine, Pricing } from '../part-reading.ts'
import { BomSheet } from './bom-grid.tsx'
import { BomImport } from './bom-import.tsx'
import { findBuildLimit } from './can-build.ts'

/** Number of lines loaded at a time. */
const STEP = 500

/** `/part/:pk/bom/`: the BOM of an assembly, as a sheet. */
export function PartBill({ at }: PageProperties) {
  const limit = useSignal(STEP)
  const { data, error, reload } = useRead<Omit<Framed, 'bom'> & { bom: ListPage<BomLine>; pricing: Pricing }>({
    ...framed(at.pk as string),
    bom: withQuery('/api/bom/', {
      part: at.pk,
      part_detail: true,
      sub_part_detail: true,
      flawed_stock: true,
      etag: true,
      limit: limit.value,
    }),
    pricing: `/api/part/${at.pk}/pricing/`,
  })
  const dialog = useSignal<'copy' | 'import' | 'build' | File | undefined>(undefined)
  const start = (next: typeof dialog.value) => () => {
    dialog.value = next
  }
  const close = start(undefined)
  const finish = () => {
    close()
    reload()
  }
  const part = data?.part.body
  const lines = data?.bom.body.results ?? []
  const mayChange = may('change', 'part')
  const mayAdd = (mayChange || may('add', 'part')) && part?.assembly === true
  const mayBuild = may('add', 'build') && part?.assembly === true && part.active && !part.virtual
  const open = lines.filter((line) => !line.validated && line.part === part?.pk)
  const mayCheck = mayChange && open.length > 0
  async function check() {
    if (await attempt(() => change(`/api/part/${at.pk}/bom-validate/`, { valid: true }, undefined)))
      showToast(t('parts.bill-checked'))
    reload()
  }
  useCommands(
    () => [
      ...(mayBuild ? [{ keys: 'm', label: () => t('builds.make'), run: start('build') }] : []),
      ...(mayCheck ? [{ keys: 'v', label: () => t('parts.check-bill'), run: check }] : []),
      ...(mayAdd ? [{ keys: 'i', label: () => t('parts.import'), run: start('import') }] : []),
      ...(mayAdd ? [{ label: () => t('parts.copy-bill'), run: start('copy') }] : []),
    ],
    [mayBuild, mayCheck, mayAdd, at.pk],
  )
  if (error) return <LoadError error={error} crumbs={crumbsOf(undefined)} />
  if (!data || !part) return null
  const { pricing } = data
  const actions = (
    <>
      {mayBuild && (
        <button type="button" class={lines.length > 0 ? 'primary' : ''} onClick={start('build')}>
          <Icon name="wrench" />
          {t('builds.make')}
        </button>
      )}
      {mayCheck && (
        <button type="button" onClick={check}>
          <Icon name="check" />
          {t('parts.check-bill')}
        </button>
      )}
      {mayAdd && (
        <Menu label={t('more')} icon="menu">
          <button type="button" class="quiet" onClick={start('import')}>
            <Icon name="receive" />
            {t('parts.import')}
          </button>
          <button type="button" class="quiet" onClick={start('copy')}>
            <Icon name="file" />
            {t('parts.copy-bill')}
          </button>
        </Menu>
      )}
    </>
  )
  // unknown unless all lines are loaded
  const enough = lines.length === data.bom.body.count ? findBuildLimit(lines) : undefined
  const cost = rangeOf(pricing.body.bom_cost_min, pricing.body.bom_cost_max, pricing.body.currency)
  return (
    <PartFrame data={data} tab="bom/" actions={actions}>
      {lines.length > 0 && (
        <p class="bill-state">
          {open.length === 0 ? (
            <Badge tone="good">{t('parts.all-checked')}</Badge>
          ) : (
            <Badge tone="warn">{count('parts.unchecked', open.length)}</Badge>
          )}
          {enough && (
            <span>
              {enough.count === 0
                ? t('parts.enough-for-none', { part: enough.line.sub_part_detail?.full_name ?? '' })
                : t('parts.enough-for', { count: number(enough.count), part: enough.line.sub_part_detail?.full_name ?? '' })}
            </span>
          )}
          {cost && <span>{t('parts.bill-costs', { cost })}</span>}
        </p>
      )}
      <BomSheet
        key={part.pk}
        part={part}
        lines={lines}
        total={data.bom.body.count}
        currency={pricing.body.currency}
        mayChange={mayChange}
        mayAdd={mayAdd}
        reload={reload}
        onMore={(upTo = limit.value + STEP) => {
          limit.value = Math.max(limit.value, upTo)
        }}
        onTable={(table) => start(table)()}
      />
      {dialog.value === 'build' && <NewBuild initialValues={{ part: part.pk }} onClose={close} />}
      {(dialog.value === 'import' || dialog.value instanceof File) && (
        <BomImport
          part={part}
          lines={lines}
          table={dialog.value instanceof File ? dialog.value : undefined}
          onDone={finish}
          onClose={close}
        />
      )}
      {dialog.value === 'copy' && (
        <FormDialog<unknown>
          title={t('parts.copy-bill')}
          metadata={copyMetadata}
          start={{ part: null, remove_existing: false, copy_substitutes: true, include_inherited: false, skip_invalid: false }}
          names={['part', 'remove_existing', 'copy_substitutes', 'include_inherited', 'skip_invalid']}
          without="rest"
          own={(form) =>
            Object.fromEntries(
              [
                ['part', t('parts.copy-from')],
                ['remove_existing', t('parts.remove-existing')],
                ['copy_substitutes', t('parts.copy-substitutes')],
                ['include_inherited', t('parts.copy-inherited')],
                ['skip_invalid', t('parts.skip-impossible')],
              ].map(([name = '', title]) => [name, () => <Field form={form} name={name} title={title} help={null} />]),
            )
          }
          button={t('parts.copy-bill')}
          send={(values, key) => post(`/api/part/${part.pk}/bom-copy/`, values, key)}
          getSuccessMessage={() => t('saved')}
          onDone={finish}
          onClose={close}
        />
      )}
    </PartFrame>
  )
}
