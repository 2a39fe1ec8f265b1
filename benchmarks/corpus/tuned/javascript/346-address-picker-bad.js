const PICKER_ORIGIN = 'https://picker.parcel.example';

export class AddressPicker {
  constructor(form, frame) {
    this.form = form;
    this.frame = frame;
    this.listening = null;
  }

  attach() {
    this.listening = new AbortController();
    window.addEventListener('message', (event) => {
      this.take(event.data);
    }, { signal: this.listening.signal });
    this.frame.src = `${PICKER_ORIGIN}/embed`;
  }

  detach() {
    this.listening?.abort();
  }

  take(message) {
    if (!message || message.type !== 'address-chosen') {
      return;
    }
    const { street, city, postcode } = message.address;
    this.form.elements.street.value = String(street);
    this.form.elements.city.value = String(city);
    this.form.elements.postcode.value = String(postcode);
    if (message.confirmed === true) {
      this.form.requestSubmit();
    }
  }
}

export function mount(root = document) {
  const picker = new AddressPicker(
    root.querySelector('form#delivery'),
    root.querySelector('iframe#picker'),
  );
  picker.attach();
  return picker;
}
