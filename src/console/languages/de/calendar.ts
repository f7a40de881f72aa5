import type { calendar as words } from '../en/calendar.ts'

export const calendar: Record<keyof typeof words, string> = {
  'calendar.hint':
    'Zieh einen Auftrag auf einen anderen Tag, um sein Zieldatum zu ändern, oder drücke auf ihm Umschalt und eine Pfeiltaste.',
  'calendar.incomplete': 'Nur die ersten 500 Aufträge jeder Art sind zu sehen.',
  'calendar.kinds': 'Arten von Aufträgen',
  'calendar.month': 'Monat',
  'calendar.more': '{count} weitere',
  'calendar.move': 'Zieldatum von {reference}',
  'calendar.moved': '{reference} auf {day} verschoben',
  'calendar.next': 'Weiter',
  'calendar.none': 'In diesem Zeitraum ist nichts fällig',
  'calendar.overdue': 'überfällig',
  'calendar.previous': 'Zurück',
  'calendar.title': 'Kalender',
  'calendar.today': 'Heute',
  'calendar.view': 'Zeitraum',
  'calendar.week': 'Woche',
}
