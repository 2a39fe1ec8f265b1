use std::cell::RefCell;
use std::rc::Rc;

pub struct Folder {
    name: String,
    children: RefCell<Vec<Rc<Folder>>>,
    parent: RefCell<Option<Rc<Folder>>>,
}

impl Folder {
    pub fn new(name: &str) -> Rc<Self> {
        Rc::new(Self { name: name.to_owned(), children: RefCell::default(), parent: RefCell::new(None) })
    }

    pub fn add(parent: &Rc<Folder>, child: Rc<Folder>) {
        *child.parent.borrow_mut() = Some(Rc::clone(parent));
        parent.children.borrow_mut().push(child);
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}
