import facts from 'facts:/api/part/test-template/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Answer, post, remove } from '../../kit/api.ts'
import { Confirm } from '../../kit/confirm.tsx'
import { Field } from '../../kit/form.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { label, number, t } from '../../kit/language.ts'
import { Panel } from '../../kit/page.tsx'
import { Sheet, type SheetColumn } from '../../kit/sheet.tsx'
import { keepingDetails } from '../orders/order.ts'
import { flagColumn } from './flag-column.tsx'
import type { Part } from './part-facts.tsx'
import type { TestTemplate } from './part-reading.ts'

const FLAGS = ['required', 'enabled', 'requires_value', 'requires_attachment'] as const

type Properties = {
  part: Part
  tests: readonly TestTemplate[]
  rights: { add: boolean; change: boolean; delete: boolean }
  again: () => void
}

/** The tests that stock of a trackable part has to pass, those of its templates among them. */
export function TestsPanel({ part, tests, rights, again }: Properties) {
  const rows = useSignal(tests)
  const isAdding = useSignal(false)
  const leaving = useSignal<TestTemplate | undefined>(undefined)
  useEffect(() => {
    rows.value = tests
  }, [tests])
  if (!part.trackable && tests.length === 0) return null
  const own = (test: TestTemplate) => test.part === part.pk
  const columns: SheetColumn<TestTemplate>[] = [
    {
      name: 'test_name',
      cell: (test) => (
        <>
          {test.test_name}
          {!own(test) && (
            <small>
              <a href={`/part/${test.part}/`}>{t('parts.of-template')}</a>
            </small>
          )}
        </>
      ),
      edit: true,
    },
    { name: 'description', isWide: true, cell: ({ description }) => <small>{description}</small>, edit: true },
    ...FLAGS.map((name) =>
      flagColumn<TestTemplate>(name, {
        title: () => t(`parts.short.${name}`),
        width: '5.5rem',
        isWide: name === 'enabled',
        isDesk: name.startsWith('requires'),
      }),
    ),
    {
      name: 'results',
      title: () => t('parts.results'),
      align: 'end',
      width: '5rem',
      isDesk: true,
      cell: ({ results }) => number(results),
    },
  ]
  const close = () => {
    isAdding.value = false
    leaving.value = undefined
  }
  return (
    <Panel
      title={t('parts.tests')}
      class="flush"
      actions={
        rights.add &&
        part.trackable && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              isAdding.value = true
            }}
          >
            <Icon name="plus" />
            {t('parts.new-test')}
          </button>
        )
      }
    >
      {tests.length > 0 ? (
        <Sheet<TestTemplate>
          facts={facts}
          title={t('parts.tests')}
          rows={rows.value}
          columns={columns.map((column) => ({ ...column, isOpen: own }))}
          mayChange={rights.change}
          onRow={({ body, etag }: Answer<TestTemplate>) => {
            rows.value = keepingDetails(rows.value, body, etag)
            again()
          }}
          isBeside
          end={
            rights.delete
              ? (test) =>
                  own(test) && (
                    <button
                      type="button"
                      class="quiet icon-only"
                      aria-label={t('parts.delete-test', { test: test.test_name })}
                      onClick={() => {
                        leaving.value = test
                      }}
                    >
                      <Icon name="trash" />
                    </button>
                  )
              : undefined
          }
        />
      ) : (
        <p class="quiet-text pad">{t('parts.no-tests')}</p>
      )}
      {isAdding.value && (
        <FormDialog<unknown>
          title={t('parts.new-test')}
          facts={facts}
          start={{
            part: part.pk,
            test_name: '',
            description: '',
            required: true,
            requires_value: false,
            requires_attachment: false,
            enabled: true,
          }}
          names={['test_name', 'description', 'required', 'requires_value', 'requires_attachment']}
          without="rest"
          own={(form) =>
            Object.fromEntries(
              ['test_name', 'description', 'required', 'requires_value', 'requires_attachment'].map((name) => [
                name,
                () => <Field form={form} name={name} title={label(name)} help={null} />,
              ]),
            )
          }
          send={(values, key) => post(facts.path, values, key)}
          done={() => t('saved')}
          onDone={() => {
            close()
            again()
          }}
          onClose={close}
        />
      )}
      {leaving.value && (
        <Confirm
          title={t('parts.delete-test', { test: leaving.value.test_name })}
          button={t('delete')}
          onConfirm={() => remove(`${facts.path}${leaving.value?.pk}/`, leaving.value?.etag).then(again)}
          onClose={close}
        >
          {leaving.value.results > 0 && <p>{t('parts.delete-test-text', { count: number(leaving.value.results) })}</p>}
        </Confirm>
      )}
    </Panel>
  )
}
