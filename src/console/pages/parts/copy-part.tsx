import metadata from 'metadata:/api/part/'
import { Field } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { post } from '../../kit/service/api.ts'
import type { Part } from './part-details.tsx'

/** The fields that a copy takes from the part unchanged. */
const COPIED_FIELDS = [
  'category',
  'description',
  'units',
  'keywords',
  'link',
  'minimum_stock',
  'default_location',
  'default_expiry',
  'active',
  'assembly',
  'component',
  'purchaseable',
  'salable',
  'trackable',
  'virtual',
  'is_template',
] as const

/** Optional data to copy. */
const COPY_OPTIONS = ['copy_bom', 'copy_parameters', 'copy_image', 'copy_notes'] as const

const copyMetadata = {
  ...metadata,
  fields: { ...metadata.fields, ...Object.fromEntries(COPY_OPTIONS.map((name) => [name, { kind: 'boolean' as const }])) },
}

type Properties = {
  /** The part to copy; the template of a variant. */
  part: Part
  /** Whether the copy becomes a variant of it. */
  isVariant?: boolean
  onCreated?: () => void
  onClose: () => void
}

/** Creates a copy of a part with its BOM, parameters, picture and notes, or a variant of it. */
export function CopyPart({ part, isVariant, onCreated, onClose }: Properties) {
  const names = ['name', 'IPN', 'revision', 'description', ...COPY_OPTIONS.filter((name) => name !== 'copy_bom' || part.assembly)]
  return (
    <FormDialog<Part>
      title={isVariant ? t('parts.new-variant') : t('parts.copy')}
      metadata={copyMetadata}
      start={{
        ...Object.fromEntries(COPIED_FIELDS.map((name) => [name, part[name]])),
        // a variant of a variant is rarely intended
        ...(isVariant ? { variant_of: part.pk, is_template: false } : { variant_of: part.variant_of }),
        name: isVariant ? `${part.name} ` : part.name,
        IPN: '',
        revision: '',
        copy_bom: part.assembly && !isVariant,
        copy_parameters: true,
        copy_image: part.image !== null,
        copy_notes: !isVariant,
      }}
      names={names}
      without="rest"
      customFields={(form) =>
        Object.fromEntries(names.map((name) => [name, () => <Field key={name} form={form} name={name} help={null} />]))
      }
      send={async (values, key) => {
        const { copy_bom, copy_parameters, copy_image, copy_notes, ...fields } = values
        const duplicate = { part: part.pk, copy_bom, copy_parameters, copy_image, copy_notes }
        const body = { ...fields, copy_category_parameters: false, duplicate }
        return (await post<Part>(metadata.path, body, key)).body
      }}
      getSuccessMessage={({ full_name }) => t('parts.created', { name: full_name })}
      onDone={({ pk }) => {
        onClose()
        onCreated?.()
        navigate(`/part/${pk}/`)
      }}
      onClose={onClose}
    >
      <p class="about">
        {isVariant ? t('parts.variant-of', { name: part.full_name }) : t('parts.copy-of', { name: part.full_name })}
      </p>
    </FormDialog>
  )
}
