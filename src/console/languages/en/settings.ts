/** The texts of the settings' navigation and overview. Each group of pages has a file of its own. */
export const settings = {
  'settings.title': 'Settings',
  'settings.account': 'My account',
  'settings.people': 'People',
  'settings.system': 'System',
  'settings.printing': 'Labels and documents',
  'settings.plugins': 'Plugins',
  'settings.operation': 'Operation',
  'settings.words': 'preferences, options, configuration, administration, admin',
  'settings.search': 'Search settings',
  'settings.no-match': 'No settings match',
  'settings.not-allowed': 'You may not use this page',
  'settings.for-staff': 'It is for staff. Ask an administrator.',
  'settings.for-superusers': 'It is for superusers. Ask an administrator.',
} as const
