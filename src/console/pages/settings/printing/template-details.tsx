import { bindSubmit, Field, type Form } from '../../../kit/form/form.tsx'
import { t } from '../../../kit/language/language.ts'
import { FILTER_EXAMPLES } from './filter-examples.ts'
import { isLabel, type TemplateKind } from './template-kinds.ts'

type Properties = { kind: TemplateKind; form: Form; isReadOnly: boolean; onSave: () => void }

/** The fields of a template except its source. Enter saves, as Ctrl+S does. */
export const TemplateDetails = ({ kind, form, isReadOnly, onSave }: Properties) => (
  <form class="settings-form" {...bindSubmit(onSave)}>
    <fieldset class="fields plain" disabled={isReadOnly}>
      <Field form={form} name="name" help={null} />
      <Field form={form} name="description" help={null} />
      <Field
        form={form}
        name="filters"
        title={t('templates.filters')}
        help={t('templates.filters.help', { object: t(kind.object), example: FILTER_EXAMPLES[kind.path] ?? '' })}
      />
      {isLabel(kind) ? (
        <>
          <Field form={form} name="width" title={t('templates.width')} help={null} />
          <Field form={form} name="height" title={t('templates.height')} help={null} />
        </>
      ) : (
        <>
          <Field form={form} name="page_size" title={t('templates.page-size')} help={null} />
          <Field form={form} name="landscape" title={t('templates.is-landscape')} help={null} />
        </>
      )}
      {kind.path === 'report/test' && (
        <Field form={form} name="include_installed" title={t('templates.include-installed')} help={null} />
      )}
      <Field
        form={form}
        name="filename_pattern"
        title={t('templates.filename-pattern')}
        help={t('templates.filename-pattern.help')}
      />
      <Field form={form} name="enabled" title={t('templates.enabled')} help={t('templates.enabled.help')} />
    </fieldset>
    {/* for Enter in a field: the button of the page is the visible one */}
    {!isReadOnly && <button type="submit" hidden />}
  </form>
)
