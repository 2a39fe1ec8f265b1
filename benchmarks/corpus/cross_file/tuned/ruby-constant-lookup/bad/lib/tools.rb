module Tools
  class Calculator
    def self.run(formula)
      eval(formula)
    end
  end
end
