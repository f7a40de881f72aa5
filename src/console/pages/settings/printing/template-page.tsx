import { useSignal } from '@preact/signals'
import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Empty, HomeLink, Page, type PageProperties } from '../../../kit/page/page.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { findTemplateKind, getTextUrl, type Template, type TemplateKind } from './template-kinds.ts'
import type { TemplateLanguage } from './template-language.ts'

/** `/settings/templates/:kind/:pk/`: the editor of one template. */
export function TemplatePage({ params }: PageProperties) {
  const kind = findTemplateKind(params.kind)
  if (!kind)
    return (
      <Page title={t('templates.title')}>
        <Empty icon="search" title={t('templates.unknown-kind')}>
          <HomeLink />
        </Empty>
      </Page>
    )
  return <LoadedTemplate key={`${kind.path} ${params.pk}`} kind={kind} pk={Number(params.pk)} />
}

function LoadedTemplate({ kind, pk }: { kind: TemplateKind; pk: number }) {
  /** Changes when another version is loaded: after a reset, or when a conflict is resolved in favor of the stored version. */
  const version = useSignal(0)
  return (
    <VersionOfTemplate
      key={version.value}
      kind={kind}
      pk={pk}
      onOtherVersion={() => {
        version.value++
      }}
    />
  )
}

function VersionOfTemplate({ kind, pk, onOtherVersion }: { kind: TemplateKind; pk: number; onOtherVersion: () => void }) {
  const { data, error } = useRead<{ template: Template; source: { text: string }; language: TemplateLanguage }>(
    {
      template: `/api/${kind.path}/${pk}/`,
      source: getTextUrl(kind.path, pk),
      language: `/api/web/template/language/?kind=${kind.path}`,
    },
    // its file may be missing: then another one is imported, or it is reset
    ['source'],
  )
  // an edit begins with the version that was loaded first: reloading must not replace what was typed
  const first = useSignal(data)
  first.value ??= data
  if (error) return <LoadError error={error} />
  if (!first.value) return null
  const { template, source, language } = first.value
  return (
    <TemplateEditor
      kind={kind}
      start={template}
      text={source?.body.text}
      language={language.body}
      onOtherVersion={onOtherVersion}
    />
  )
}
