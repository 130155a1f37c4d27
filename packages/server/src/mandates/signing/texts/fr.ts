import { longDay } from '../../../dates/brussels-day.js';
import { maximumNameLength } from '../signing-form.js';
import type { SigningTexts } from './en.js';

export const fr: SigningTexts = {
  language: 'Français',
  languages: 'Langue',
  mail: {
    subject: ({ firmName, customerName }) =>
      `${firmName} demande votre signature pour ${customerName}`,
    greeting: (contactName) => `Bonjour ${contactName},`,
    ask: ({ firmName, customerName, enterpriseNumber }, mandates) =>
      `${firmName}, votre bureau comptable, vous demande de signer ${
        mandates === 1 ? 'un mandat' : `${mandates} mandats`
      } pour ${customerName} (numéro d’entreprise ${enterpriseNumber}).`,
    reminder: {
      subject: (subject) => `Rappel\u00a0: ${subject}`,
      notAnswered: (date) =>
        `Nous vous l’avons demandé le ${date} et n’avons pas encore reçu votre réponse. Un refus est aussi une réponse\u00a0: vous ne recevrez alors plus de rappel.`,
    },
    accountsHeading: 'Extraits de compte',
    accountsPurpose: (accounts) =>
      `Dès que vous aurez signé, la banque transmettra à votre bureau comptable, sous forme numérique (fichiers CODA), les extraits de ${
        accounts === 1 ? 'ce compte' : 'ces comptes'
      }. Vous n’aurez plus à les envoyer vous-même. Cela ne permet à personne d’effectuer des paiements.`,
    consent: (days) => `Consentement à renouveler tous les ${days} jours`,
    renewal: (lastDay) => ({
      subject: ({ firmName, customerName }) =>
        `${firmName} vous demande de renouveler votre consentement pour ${customerName}`,
      ask: ({ firmName, customerName, enterpriseNumber }, accounts) =>
        `${firmName}, votre bureau comptable, reçoit avec votre consentement les extraits ${
          accounts === 1 ? 'd’un compte' : `de ${accounts} comptes`
        } de ${customerName} (numéro d’entreprise ${enterpriseNumber}). Ce consentement prend fin le ${longDay(lastDay, 'fr')}. Merci de le renouveler avant.`,
      accountsPurpose: (accounts) =>
        `Dès que vous aurez signé, les extraits de ${
          accounts === 1 ? 'ce compte' : 'ces comptes'
        } continueront à parvenir à votre bureau comptable, sous forme numérique (fichiers CODA) et sans interruption. Cela ne permet à personne d’effectuer des paiements.`,
      consent: (days) =>
        `Consentement jusqu’au ${longDay(lastDay, 'fr')}, renouvelé pour ${days} jours à partir de votre signature`,
      unexpected: (firmName) =>
        `Vous n’attendiez pas ce message\u00a0? Adressez-vous à ${firmName} ou ignorez-le\u00a0: sans votre signature, le consentement prend fin le ${longDay(lastDay, 'fr')}.`,
    }),
    payrollHeading: 'Salaires',
    payrollPurpose: (providers) =>
      `Dès que vous aurez signé, ${
        providers === 1
          ? 'ce secrétariat social transmettra'
          : 'ces secrétariats sociaux transmettront'
      } à votre bureau comptable, sous forme numérique (fichiers CODB), les écritures de paie. Vous n’aurez plus à les envoyer vous-même.`,
    sign: 'Lire et signer',
    orOpen: 'Le bouton ne fonctionne pas\u00a0? Ouvrez cette adresse dans votre navigateur\u00a0:',
    deadline: (date) => `Merci de répondre avant le ${date}\u00a0: le lien expire ce jour\u2011là.`,
    personal: 'Ce lien vous est personnel, ne le transférez pas. Vous pourrez aussi refuser.',
    unexpected: (firmName) =>
      `Vous n’attendiez pas ce message\u00a0? Adressez-vous à ${firmName} ou ignorez-le\u00a0: sans votre signature, il ne se passe rien.`,
    questions: (firmName) => `Des questions\u00a0? Adressez-vous à ${firmName}\u00a0:`,
  },
  evidenceMail: {
    signed: {
      subject: (customerName) => `Mandats signés pour ${customerName}`,
      text: ({ signerName, mandates, excluded, customerName, enterpriseNumber, firmName, time }) =>
        `${signerName} a signé ${
          mandates === 1 ? 'un mandat' : `${mandates} mandats`
        } pour ${customerName} (numéro d’entreprise ${enterpriseNumber}), à la demande de ${firmName}, le ${time}.${excluded === 0 ? '' : ` ${excluded === 1 ? 'Un autre mandat a été refusé' : `${excluded} autres mandats ont été refusés`}.`}`,
      attached:
        'Le PDF ci-joint montre le texte signé, le signataire et l’heure. L’autre fichier est l’enregistrement que nous conservons. Gardez ce message comme preuve.',
      notYou: (firmName) =>
        `Vous n’avez pas signé\u00a0? Adressez-vous tout de suite à ${firmName}.`,
    },
    declined: {
      subject: (customerName) => `Mandats refusés pour ${customerName}`,
      text: ({ mandates, customerName, enterpriseNumber, firmName, time }) =>
        `La demande de ${firmName} de signer ${
          mandates === 1 ? 'un mandat' : `${mandates} mandats`
        } pour ${customerName} (numéro d’entreprise ${enterpriseNumber}) a été refusée le ${time}. Rien n’a été signé.`,
      attached:
        'Le PDF ci-joint montre le texte refusé et l’heure. L’autre fichier est l’enregistrement que nous conservons. Gardez ce message comme preuve.',
      notYou: (firmName) =>
        `Vous n’avez pas refusé\u00a0? Adressez-vous tout de suite à ${firmName}.`,
    },
    fingerprint:
      'Empreinte (SHA-256) de l’enregistrement, qui permet de vérifier qu’il n’a pas changé\u00a0:',
  },
  facts: {
    firm: 'Bureau comptable',
    enterprise: 'Entreprise',
    enterpriseNumber: 'Numéro d’entreprise',
    answerBefore: 'À répondre avant le',
    signedBy: 'Signé par',
    signedOn: 'Signé le',
    declinedOn: 'Refusé le',
    linkSentTo: 'Lien envoyé à',
    ipAddress: 'Adresse IP',
    browser: 'Navigateur',
    fingerprint: 'Empreinte (SHA-256)',
  },
  lead: (firmName) =>
    `${firmName}, votre bureau comptable, demande votre signature. Lisez d’abord ce que vous signez.`,
  meaning: ({ firmName, customerName }, mandates) => ({
    title: 'Ce que signifie votre signature',
    paragraphs: [
      `Vous donnez ${mandates === 1 ? 'ce mandat' : 'ces mandats'} au nom de ${customerName}.`,
      `Vous pourrez y mettre fin plus tard\u00a0: adressez-vous à ${firmName}.`,
      'Avec votre réponse, nous conservons comme preuve le nom que vous indiquez, la date et l’heure, votre adresse IP et le type de votre navigateur.',
    ],
  }),
  answer: {
    title: 'Votre signature',
    name: 'Vos prénom et nom',
    consent: (customerName, mandates) =>
      `J’ai le droit de signer pour ${customerName} et j’accepte ${
        mandates === 1
          ? 'ce mandat'
          : `ces ${mandates} mandats, sauf ceux que j’ai cochés ci-dessus`
      }.`,
    exclude: 'Ne pas signer celui-ci',
    sign: 'Signer',
  },
  refusal: {
    title: 'Je ne souhaite pas signer',
    meaning: (firmName) =>
      `Si vous refusez, aucun fichier n’est transmis sur la base de cette demande et votre bureau comptable voit que vous avez refusé. Vous ne pourrez alors plus signer avec ce lien\u00a0; si vous changez d’avis, ${firmName} peut vous envoyer une nouvelle demande.`,
    renewal: (firmName, lastDay) =>
      `Si vous refusez, le consentement prend fin le ${longDay(lastDay, 'fr')}, aucun fichier n’est transmis après ce jour et votre bureau comptable voit que vous avez refusé. Vous ne pourrez alors plus signer avec ce lien\u00a0; si vous changez d’avis, ${firmName} peut vous envoyer une nouvelle demande.`,
    decline: 'Refuser',
  },
  errorTitle: (title) => `Erreur\u00a0: ${title}`,
  notRecorded: 'Votre réponse n’est pas encore enregistrée',
  problems: {
    nameMissing: 'Indiquez vos prénom et nom.',
    nameTooLong: `Votre nom peut compter au plus ${maximumNameLength} caractères.`,
    nameUnreadable:
      'Votre nom contient des caractères qui ne peuvent pas être enregistrés. Saisissez-le à nouveau.',
    consentMissing: 'Cochez la case pour confirmer votre accord.',
    allExcluded: 'Vous avez exclu tous les mandats. Pour n’en signer aucun, refusez ci-dessous.',
    refusalUnconfirmed: 'Cochez la case pour confirmer que vous ne souhaitez pas signer.',
    pageChanged:
      'Cette page a changé depuis que vous l’avez ouverte. Relisez-la avant de répondre.',
    answerUnclear: 'Choisissez de signer ou de refuser.',
  },
  outcomes: {
    signed: () => ({
      title: 'Signé',
      paragraphs: [
        'Votre signature est enregistrée. Vous n’avez plus rien à faire et pouvez fermer cette page.',
      ],
    }),
    partlySigned: (firmName) => ({
      title: 'Signé en partie',
      paragraphs: [
        'Votre signature est enregistrée. Les mandats que vous avez exclus sont refusés.',
        `Votre bureau comptable voit lesquels vous avez signés. Si vous changez d’avis pour les autres, demandez à ${firmName} de vous envoyer une nouvelle demande.`,
      ],
    }),
    declined: (firmName) => ({
      title: 'Refusé',
      paragraphs: [
        'Votre réponse est enregistrée\u00a0: rien n’a été signé.',
        `Vous changez d’avis\u00a0? Demandez à ${firmName} de vous envoyer une nouvelle demande.`,
      ],
    }),
    expired: (firmName) => ({
      title: 'Le délai pour signer est dépassé',
      paragraphs: [
        `Vous ne pouvez plus signer avec ce lien. Demandez à ${firmName} de vous envoyer une nouvelle demande.`,
      ],
    }),
    withdrawn: (firmName) => ({
      title: 'Il n’y a plus rien à signer ici',
      paragraphs: [
        'Cette demande a été retirée ou remplacée par une autre.',
        `Vérifiez si vous avez reçu un message plus récent, ou adressez-vous à ${firmName}.`,
      ],
    }),
    firmDisabled: (firmName) => ({
      title: 'Vous ne pouvez pas signer pour le moment',
      paragraphs: [
        `L’accès de ${firmName} à ce service est suspendu. Rien n’a été signé ni refusé.`,
        `Ouvrez à nouveau ce lien plus tard, ou adressez-vous à ${firmName}.`,
      ],
    }),
  },
  evidence: {
    title: { signed: 'Mandats signés', declined: 'Mandats refusés' },
    shown: { signed: 'Ce qui a été signé', declined: 'Ce qui a été refusé' },
    meaningOfFingerprint:
      'L’empreinte est calculée à partir de l’enregistrement de cette réponse que nous conservons. Si un seul caractère de l’enregistrement changeait, son empreinte serait différente.',
  },
  notices: {
    notFound: {
      title: 'Cette page n’existe pas',
      paragraphs: [
        'Vérifiez que vous avez ouvert le lien complet du message. S’il ne fonctionne pas, adressez-vous au bureau comptable qui demande votre signature.',
      ],
    },
    foreignAnswer: {
      title: 'Votre réponse n’a pas été acceptée',
      paragraphs: [
        'Elle ne venait pas de cette page. Ouvrez à nouveau le lien du message pour répondre.',
      ],
    },
    unreadableAnswer: {
      title: 'Votre réponse n’a pas pu être lue',
      paragraphs: [
        'Rien n’a été enregistré. Ouvrez à nouveau le lien du message et répondez sur la page.',
      ],
    },
    tooManyAttempts: {
      title: 'Trop de tentatives',
      paragraphs: ['Réessayez dans quelques minutes avec le lien du message.'],
    },
    unavailable: {
      title: 'La page n’est pas disponible pour le moment',
      paragraphs: [
        'Réessayez dans quelques minutes avec le lien du message. Si vous venez de répondre, la page montrera alors si votre réponse est enregistrée.',
      ],
    },
  },
};
