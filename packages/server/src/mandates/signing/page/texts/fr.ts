import { longDay } from '../../../../dates/brussels-day.js';
import { fr as mail } from '../../mail/texts/fr.js';
import { maximumNameLength } from '../signing-form.js';
import type { SigningPageTexts } from './signing-page-texts.js';

export const fr: SigningPageTexts = {
  language: 'Français',
  languages: 'Langue',
  mail,
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
