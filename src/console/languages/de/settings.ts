import type { settings as words } from '../en/settings.ts'

export const settings: Record<keyof typeof words, string> = {
  'settings.title': 'Einstellungen',
  'settings.account': 'Mein Konto',
  'settings.people': 'Personen',
  'settings.system': 'System',
  'settings.printing': 'Etiketten und Dokumente',
  'settings.plugins': 'Plugins',
  'settings.operation': 'Betrieb',
  'settings.words': 'Optionen, Konfiguration, Verwaltung, Administration',
  'settings.search': 'Einstellungen durchsuchen',
  'settings.no-match': 'Keine passenden Einstellungen',
  'settings.not-allowed': 'Du darfst diese Seite nicht benutzen',
  'settings.for-staff': 'Sie ist für Mitarbeitende mit Verwaltungsrechten. Frag eine Administratorin oder einen Administrator.',
  'settings.for-superusers': 'Sie ist für Superuser. Frag eine Administratorin oder einen Administrator.',
}
