import copyMetadata from 'metadata:/api/part/{id}/bom-copy/'
import { useSignal } from '@preact/signals'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { count, formatNumber, formatPriceRange, t } from '../../../kit/language/language.ts'
import { useCommands } from '../../../kit/navigation/keys.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Menu } from '../../../kit/page/menu.tsx'
import { Badge, type PageProperties } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { change, type Page as ListPage, post, withQuery } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { NewBuild } from '../../builds/new-build.tsx'
import { ImportLink } from '../../import/import-menu.tsx'
import { createCrumbs, getPartFrameUrls, PartFrame, type PartFrameData } from '../part-frame.tsx'
import type { BomLine, Pricing } from '../part-requests.ts'
import { BomSheet } from './bom-grid.tsx'
import { BomImport } from './bom-import.tsx'
import { BomViews } from './bom-views.tsx'
import { findBuildLimit } from './can-build.ts'

/** Number of lines loaded at a time. */
const PAGE_SIZE = 500

/** `/part/:pk/bom/`: the BOM of an assembly, as a grid. */
export function PartBomPage({ params }: PageProperties) {
  const limit = useSignal(PAGE_SIZE)
  const { data, error, reload } = useRead<Omit<PartFrameData, 'bom'> & { bom: ListPage<BomLine>; pricing: Pricing }>({
    ...getPartFrameUrls(params.pk as string),
    bom: withQuery('/api/bom/', {
      part: params.pk,
      part_detail: true,
      sub_part_detail: true,
      flawed_stock: true,
      etag: true,
      limit: limit.value,
    }),
    pricing: `/api/part/${params.pk}/pricing/`,
  })
  const dialog = useSignal<'copy' | 'import' | 'build' | File | undefined>(undefined)
  const show = (next: typeof dialog.value) => () => {
    dialog.value = next
  }
  const close = show(undefined)
  const closeAndReload = () => {
    close()
    reload()
  }
  const part = data?.part.body
  const lines = data?.bom.body.results ?? []
  const canChange = hasPermission('change', 'bom')
  const canAdd = (canChange || hasPermission('add', 'bom')) && part?.assembly === true
  const canBuild = hasPermission('add', 'build') && part?.assembly === true && part.active && !part.virtual
  const unvalidatedLines = lines.filter((line) => !line.validated && line.part === part?.pk)
  const canValidate = hasPermission('change', 'part') && unvalidatedLines.length > 0
  async function validateBom() {
    if (await attempt(() => change(`/api/part/${params.pk}/bom-validate/`, { valid: true }, undefined)))
      showToast(t('parts.bom-validated'))
    reload()
  }
  useCommands(
    () => [
      ...(canBuild ? [{ keys: 'm', label: () => t('builds.create'), run: show('build') }] : []),
      ...(canValidate ? [{ keys: 'v', label: () => t('parts.validate-bom'), run: validateBom }] : []),
      ...(canAdd ? [{ keys: 'i', label: () => t('parts.import'), run: show('import') }] : []),
      ...(canAdd ? [{ label: () => t('parts.copy-bom'), run: show('copy') }] : []),
    ],
    [canBuild, canValidate, canAdd, params.pk],
  )
  if (error) return <LoadError error={error} crumbs={createCrumbs(undefined)} />
  if (!data || !part) return null
  const { pricing } = data
  const actions = (
    <>
      {canBuild && (
        <button type="button" class={lines.length > 0 ? 'primary' : ''} onClick={show('build')}>
          <Icon name="wrench" />
          {t('builds.create')}
        </button>
      )}
      {canValidate && (
        <button type="button" onClick={validateBom}>
          <Icon name="check" />
          {t('parts.validate-bom')}
        </button>
      )}
      {canAdd && (
        <Menu label={t('more')} icon="menu">
          <button type="button" class="quiet" onClick={show('import')}>
            <Icon name="receive" />
            {t('parts.import')}
          </button>
          <ImportLink type="bomitem" fixed={{ part: params.pk ?? '' }}>
            {t('import.from-spreadsheet')}
          </ImportLink>
          <button type="button" class="quiet" onClick={show('copy')}>
            <Icon name="file" />
            {t('parts.copy-bom')}
          </button>
        </Menu>
      )}
    </>
  )
  // unknown unless all lines are loaded
  const buildLimit = lines.length === data.bom.body.count ? findBuildLimit(lines) : undefined
  const cost = formatPriceRange(pricing.body.bom_cost_min, pricing.body.bom_cost_max, pricing.body.currency)
  return (
    <PartFrame data={data} tab="bom/" actions={actions}>
      <BomViews part={part.pk} view="bom/" />
      {lines.length > 0 && (
        <p class="bom-state">
          {unvalidatedLines.length === 0 ? (
            <Badge tone="good">{t('parts.validated')}</Badge>
          ) : (
            <Badge tone="warn">{count('parts.lines-not-validated', unvalidatedLines.length)}</Badge>
          )}
          {buildLimit && (
            <span>
              {buildLimit.count === 0
                ? t('parts.cannot-build', { part: buildLimit.line.sub_part_detail?.full_name ?? '' })
                : t('parts.can-build', {
                    count: formatNumber(buildLimit.count),
                    part: buildLimit.line.sub_part_detail?.full_name ?? '',
                  })}
            </span>
          )}
          {cost && <span>{t('parts.bom-cost', { cost })}</span>}
        </p>
      )}
      <BomSheet
        key={part.pk}
        part={part}
        lines={lines}
        total={data.bom.body.count}
        currency={pricing.body.currency}
        canChange={canChange}
        canAdd={canAdd}
        reload={reload}
        onMore={(upTo = limit.value + PAGE_SIZE) => {
          limit.value = Math.max(limit.value, upTo)
        }}
        onTable={(table) => show(table)()}
      />
      {dialog.value === 'build' && <NewBuild initialValues={{ part: part.pk }} onClose={close} />}
      {(dialog.value === 'import' || dialog.value instanceof File) && (
        <BomImport
          part={part}
          lines={lines}
          table={dialog.value instanceof File ? dialog.value : undefined}
          onDone={closeAndReload}
          onClose={close}
        />
      )}
      {dialog.value === 'copy' && (
        <FormDialog<unknown>
          title={t('parts.copy-bom')}
          metadata={copyMetadata}
          start={{ part: null, remove_existing: false, copy_substitutes: true, include_inherited: false, skip_invalid: false }}
          names={['part', 'remove_existing', 'copy_substitutes', 'include_inherited', 'skip_invalid']}
          without="rest"
          customFields={(form) =>
            Object.fromEntries(
              [
                ['part', t('parts.copy-from')],
                ['remove_existing', t('parts.remove-existing')],
                ['copy_substitutes', t('parts.copy-substitutes')],
                ['include_inherited', t('parts.copy-inherited')],
                ['skip_invalid', t('parts.skip-invalid')],
              ].map(([name = '', title]) => [name, () => <Field form={form} name={name} title={title} help={null} />]),
            )
          }
          button={t('parts.copy-bom')}
          send={(values, key) => post(`/api/part/${part.pk}/bom-copy/`, values, key)}
          getSuccessMessage={() => t('saved')}
          onDone={closeAndReload}
          onClose={close}
        />
      )}
    </PartFrame>
  )
}
