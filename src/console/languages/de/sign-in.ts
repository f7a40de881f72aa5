import type { signIn as words } from '../en/sign-in.ts'

export const signIn: Record<keyof typeof words, string> = {
  'enrol.start': 'Beginnen',
  'enrol.codes': 'Deine Wiederherstellungscodes',
  'enrol.codes-text':
    'Bewahre sie dort auf, wo du sie ohne dein Telefon findest. Jeder Code gilt einmal. Sie werden nicht noch einmal angezeigt.',
  'enrol.confirm': 'Einschalten',
  'enrol.codes-download': 'Herunterladen',
  'enrol.codes-print': 'Drucken',
  'enrol.codes-file': 'Wiederherstellungscodes',
  'enrol.codes-stored': 'Ich habe sie gespeichert',
  'enrol.qr': 'Geheimnis als QR-Code',
  'enrol.scan':
    'Scanne dies mit deiner Authenticator-App, oder gib das Geheimnis darunter ein. Gib dann den Code ein, den die App zeigt.',
  'enrol.text':
    'Dieser Dienst verlangt einen zweiten Faktor: eine Authenticator-App auf dem Telefon. Gib dein Passwort noch einmal ein, um sie einzurichten.',
  'enrol.title': 'Zweiten Faktor einrichten',
  'sign-in.session-ended': 'Deine Sitzung ist beendet. Melde dich an, um fortzufahren.',
  'sign-in.back': 'Zurück zur Anmeldung',
  'sign-in.button': 'Anmelden',
  'sign-in.code': 'Code',
  'sign-in.code-help': 'Der Code aus deiner Authenticator-App oder ein Wiederherstellungscode.',
  'sign-in.create': 'Konto anlegen',
  'sign-in.email': 'E-Mail-Adresse deines Kontos',
  'sign-in.first': 'Das erste Konto anlegen',
  'sign-in.first-text': 'Das erste Konto hat alle Rechte. Sein Einrichtungscode steht im Startprotokoll des Dienstes.',
  'sign-in.forgotten': 'Passwort vergessen?',
  'sign-in.link-written':
    'Wenn ein Konto diese Adresse hat, steht jetzt ein Link im Protokoll des Dienstes. Es wurde keine E-Mail gesendet.',
  'sign-in.no-mail':
    'Dieser Dienst sendet keine E-Mails. Bitte deine Administratorin oder deinen Administrator um einen Link für ein neues Passwort.',
  'sign-in.write-link': 'Link ins Protokoll schreiben',
  'sign-in.email-sent': 'Wenn ein Konto diese Adresse hat, wurde eine E-Mail mit einem Link gesendet.',
  'sign-in.password-again': 'Passwort wiederholen',
  'sign-in.send-link': 'Link senden',
  'sign-in.setup-code': 'Einrichtungscode',
  'sign-in.setup-code-help': 'Vier Gruppen aus Buchstaben und Ziffern aus dem Startprotokoll.',
  'sign-in.sso.address_missing': 'Der Anbieter hat deine E-Mail-Adresse nicht übermittelt. Sie ist hier erforderlich.',
  'sign-in.sso.address_taken':
    'Ein Konto mit deiner E-Mail-Adresse gibt es schon. Melde dich mit dessen Passwort an, dann verknüpfe den Anbieter.',
  'sign-in.sso.denied': 'Der Anbieter hat die Anmeldung abgelehnt.',
  'sign-in.sso.expired': 'Die Anmeldung hat zu lange gedauert. Versuche es noch einmal.',
  'sign-in.sso.failed': 'Die Anmeldung beim Anbieter ist fehlgeschlagen. Details stehen im Protokoll des Dienstes.',
  'sign-in.sso.inactive': 'Dein Konto ist inaktiv.',
  'sign-in.sso.registration_closed': 'Du hast hier kein Konto, und der Anbieter kann keines anlegen. Frag deinen Administrator.',
  'sign-in.title': 'Anmelden',
  'sign-in.with': 'Anmelden mit {provider}',
}
