import { useSignal } from '@preact/signals'
import { t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { isStaff, listSettings, type SettingsPageEntry } from './settings-pages.ts'
import { SetupPanel } from './setup-panel.tsx'

/** `/settings/`: all pages of the settings by group, with a search by their titles and by other words for them. */
export function SettingsOverviewPage() {
  const searchText = useSignal('')
  const searchWords = searchText.value.trim().toLowerCase().split(/\s+/)
  const matches = ({ title, about, synonyms }: SettingsPageEntry) => {
    const text = [title, about, synonyms].map((key) => t(key).toLowerCase()).join(' ')
    return searchWords.every((word) => text.includes(word))
  }
  const groups = listSettings()
    .map((group) => ({ ...group, pages: group.pages.filter(matches) }))
    .filter(({ pages }) => pages.length > 0)
  return (
    <Page title={t('settings.title')}>
      <input
        class="settings-search"
        type="search"
        data-search
        aria-label={t('settings.search')}
        placeholder={t('settings.search')}
        value={searchText.value}
        onInput={({ currentTarget }) => {
          searchText.value = currentTarget.value
        }}
      />
      {groups.length === 0 && <Empty icon="search" title={t('settings.no-match')} />}
      <div class="settings-overview">
        {groups.map(({ title, icon, pages }) => (
          <section key={title} class="panel">
            <header>
              <h2>
                <Icon name={icon} />
                {t(title)}
              </h2>
            </header>
            <ul>
              {pages.map((page) => (
                <li key={page.to}>
                  <a href={page.to}>{t(page.title)}</a>
                  <p class="quiet-text">{t(page.about)}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {isStaff() && searchText.value === '' && <SetupPanel />}
      </div>
    </Page>
  )
}
