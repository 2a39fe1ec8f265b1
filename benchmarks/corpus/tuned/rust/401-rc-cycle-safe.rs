use std::cell::RefCell;
use std::rc::Rc;
use std::rc::Weak;

pub struct Folder {
    name: String,
    children: RefCell<Vec<Rc<Folder>>>,
    parent: RefCell<Weak<Folder>>,
}

impl Folder {
    pub fn new(name: &str) -> Rc<Self> {
        Rc::new(Self { name: name.to_owned(), children: RefCell::default(), parent: RefCell::new(Weak::new()) })
    }

    pub fn add(parent: &Rc<Folder>, child: Rc<Folder>) {
        *child.parent.borrow_mut() = Rc::downgrade(parent);
        parent.children.borrow_mut().push(child);
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}
