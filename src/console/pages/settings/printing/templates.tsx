import { useSignal } from '@preact/signals'
import { translateTemplateDescription, translateTemplateName } from '../../../kit/files/built-in-templates.ts'
import { t } from '../../../kit/language/language.ts'
import { navigate, routeLocation, setQuery } from '../../../kit/navigation/router.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Menu } from '../../../kit/page/menu.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast, warn } from '../../../kit/page/toast.tsx'
import type { Page } from '../../../kit/service/api.ts'
import { save } from '../../../kit/service/saves.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { canViewTemplates } from '../settings-pages.ts'
import { NewTemplate } from './new-template.tsx'
import {
  duplicateTemplate,
  exportTemplate,
  getTemplateUrl,
  type KindTemplate,
  useTemplateQuestions,
} from './template-actions.tsx'
import {
  findTemplateKind,
  formatSize,
  getTemplatePage,
  hasTemplatePermission,
  type Template,
  type TemplateKind,
  templateKinds,
  toSlug,
} from './template-kinds.ts'

/** `/settings/templates/`: all label and report templates by kind. The URL holds the kind, the search, and whether only changed ones are shown. */
export function TemplatesPage() {
  const isCreating = useSignal(false)
  const setCreating = (isOpen: boolean) => () => {
    isCreating.value = isOpen
  }
  const creatableKinds = templateKinds.filter((kind) => hasTemplatePermission('add', kind))
  const actions = useActions([
    creatableKinds.length > 0 && { title: t('templates.new'), icon: 'plus', keys: 'n', run: setCreating(true) },
  ])
  return (
    <SettingsPage title={t('templates.title')} actions={actions} rejection={t('templates.for-roles')}>
      {canViewTemplates() && <TemplateList />}
      {isCreating.value && (
        <NewTemplate
          kinds={creatableKinds}
          onDone={(kind, { pk }) => navigate(getTemplatePage(kind, pk))}
          onClose={setCreating(false)}
        />
      )}
    </SettingsPage>
  )
}

function TemplateList() {
  const { query } = routeLocation.value
  const kinds = templateKinds.filter((kind) => hasTemplatePermission('view', kind))
  const selectedKind = findTemplateKind(query.get('kind') ?? undefined)
  const searchText = query.get('search') ?? ''
  const isChangedOnly = query.get('changed') === 'true'
  const { data, error, reload } = useRead<Record<string, Page<Template>>>(
    Object.fromEntries(kinds.map(({ path }) => [path, `/api/${path}/?limit=250&etag=true`])),
  )
  const questions = useTemplateQuestions({ onReset: reload, onDeleted: reload })
  if (error) return <LoadError error={error} />
  if (!data) return null
  const words = searchText.trim().toLowerCase().split(/\s+/)
  const isShown = ({ name, description, filters, origin }: Template) => {
    const text = `${name} ${description ?? ''} ${filters}`.toLowerCase()
    return words.every((word) => text.includes(word)) && (!isChangedOnly || origin !== 'shipped')
  }
  const groups = kinds
    .filter((kind) => !selectedKind || kind === selectedKind)
    .map((kind) => ({ kind, rows: (data[kind.path]?.body.results ?? []).filter(isShown) }))
  const isFiltered = searchText !== '' || isChangedOnly
  const shownGroups = groups.filter(({ rows }) => rows.length > 0 || !isFiltered)
  return (
    <>
      <div class="settings-filter">
        <input
          type="search"
          data-search
          aria-label={t('templates.search')}
          placeholder={t('templates.search')}
          value={searchText}
          onInput={({ currentTarget }) => setQuery({ search: currentTarget.value }, { replace: true })}
        />
        <select
          aria-label={t('templates.kind')}
          value={selectedKind ? toSlug(selectedKind) : ''}
          onChange={({ currentTarget }) => setQuery({ kind: currentTarget.value }, { replace: true })}
        >
          <option value="">{t('templates.all-kinds')}</option>
          {kinds.map((kind) => (
            <option key={kind.path} value={toSlug(kind)}>
              {t(kind.title)}
            </option>
          ))}
        </select>
        <label class="checkbox-line">
          <input
            type="checkbox"
            checked={isChangedOnly}
            onChange={({ currentTarget }) => setQuery({ changed: currentTarget.checked ? 'true' : undefined }, { replace: true })}
          />
          {t('templates.changed-only')}
        </label>
      </div>
      {shownGroups.length === 0 && <Empty icon="search" title={t('no-matches')} />}
      {shownGroups.map(({ kind, rows }) => (
        <Panel key={kind.path} title={t(kind.title)}>
          {rows.length === 0 ? (
            <p class="quiet-text">{t('templates.none')}</p>
          ) : (
            <TemplateTable kind={kind} rows={rows} reload={reload} questions={questions} />
          )}
        </Panel>
      ))}
      {questions.dialog}
    </>
  )
}

type TableProperties = {
  kind: TemplateKind
  rows: readonly Template[]
  reload: () => void
  questions: ReturnType<typeof useTemplateQuestions>
}

const TemplateTable = ({ kind, rows, reload, questions }: TableProperties) => (
  <ShortTable
    title={t(kind.title)}
    rows={rows}
    columns={[
      {
        name: 'name',
        cell: (template) => (
          <>
            <span class="template-name">
              <a href={getTemplatePage(kind, template.pk)}>{translateTemplateName(template.name)}</a>
            </span>{' '}
            <TemplateBadges template={template} />
            {template.description && <small class="template-about">{translateTemplateDescription(template.description)}</small>}
          </>
        ),
      },
      { name: 'size', title: () => t('templates.size'), width: '9rem', isWide: true, cell: formatSize },
      {
        name: 'filters',
        title: () => t('templates.filters'),
        width: '12rem',
        isWide: true,
        cell: ({ filters }) => filters || '–',
      },
      {
        name: 'enabled',
        title: () => t('templates.enabled'),
        width: '6rem',
        cell: (template) => <EnabledBox kind={kind} template={template} onSaved={reload} />,
      },
      {
        name: 'actions',
        title: () => '',
        align: 'end',
        width: '4rem',
        cell: (template) => <RowMenu target={{ kind, template }} reload={reload} questions={questions} />,
      },
    ]}
  />
)

/** Whether a template comes with the service, and whether it can be printed. */
export const TemplateBadges = ({ template: { origin, problems } }: { template: Template }) => (
  <>
    {origin !== 'own' && (
      <Badge tone={origin === 'changed' ? 'accent' : undefined}>
        {t(origin === 'changed' ? 'templates.changed' : 'templates.shipped')}
      </Badge>
    )}
    {problems.length > 0 && <Badge tone="bad">{t('templates.not-printable')}</Badge>}
  </>
)

/** Enables or disables a template immediately. */
function EnabledBox({ kind, template, onSaved }: KindTemplate & { onSaved: () => void }) {
  const { enabled, etag } = template
  const name = translateTemplateName(template.name)
  async function set(box: HTMLInputElement) {
    const isEnabled = box.checked
    const isSaved = await attempt(async () => {
      const result = await save<Template>(getTemplateUrl({ kind, template }), { enabled: isEnabled }, etag)
      if ('conflict' in result) warn(t('changed-meanwhile'))
      else showToast(t(isEnabled ? 'templates.is-enabled' : 'templates.is-disabled', { name }))
    })
    if (!isSaved) box.checked = enabled
    onSaved()
  }
  return (
    <input
      type="checkbox"
      aria-label={t('templates.enable', { name })}
      checked={enabled}
      disabled={!hasTemplatePermission('change', kind)}
      onChange={({ currentTarget }) => set(currentTarget)}
    />
  )
}

function RowMenu({ target, reload, questions }: { target: KindTemplate } & Pick<TableProperties, 'reload' | 'questions'>) {
  const { kind, template } = target
  const { origin } = template
  return (
    <Menu label={t('templates.actions', { name: translateTemplateName(template.name) })} icon="menu">
      {hasTemplatePermission('add', kind) && (
        <button type="button" class="quiet" data-ends-menu onClick={() => duplicateTemplate(target, reload)}>
          <Icon name="plus" />
          {t('templates.duplicate')}
        </button>
      )}
      <button type="button" class="quiet" data-ends-menu onClick={() => exportTemplate(target)}>
        <Icon name="down" />
        {t('templates.export')}
      </button>
      {origin !== 'own' && hasTemplatePermission('change', kind) && (
        <button type="button" class="quiet" data-ends-menu onClick={() => questions.askReset(target)}>
          <Icon name="undo" />
          {t('templates.reset')}
        </button>
      )}
      {hasTemplatePermission('delete', kind) && (
        <button type="button" class="quiet" data-ends-menu onClick={() => questions.askDelete(target)}>
          <Icon name="trash" />
          {t('delete')}
        </button>
      )}
    </Menu>
  )
}
