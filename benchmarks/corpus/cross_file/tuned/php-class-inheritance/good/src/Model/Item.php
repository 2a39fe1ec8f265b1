<?php

namespace Shop\Model;

class Item extends Base
{
    public function byName(string $name): array
    {
        return $this->firstWhere("name = '" . $name . "'");
    }
}
